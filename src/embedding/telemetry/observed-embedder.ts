import { inSpan } from '../../platform/telemetry/work-record.ts'
import { type Embedder, EmbeddingNonsense, EmbeddingRejected } from '../embedder.ts'

/** `refused`: the provider does not take the text. `abandoned`: nobody waits for the answer any more. */
export type EmbeddingOutcome = 'answered' | 'refused' | 'failed' | 'abandoned'

/** One call of an embedder, with all its attempts. */
export interface EmbeddingCall {
  readonly purpose: 'query' | 'passage'
  readonly outcome: EmbeddingOutcome
  readonly texts: number
  readonly durationMs: number
}

/** The same embedder; `onCall` is told of each of its calls when it ends. */
export function observed(embedder: Embedder, onCall: (call: EmbeddingCall) => void): Embedder {
  return {
    id: embedder.id,
    // A provider's are known only after its first answer.
    get dimensions() {
      return embedder.dimensions
    },
    batchSize: embedder.batchSize,
    async embed(texts, purpose, signal, onTokens) {
      const startedMs = performance.now()
      let outcome: EmbeddingOutcome = 'answered'
      try {
        const attributes = { 'knowledge.embedding.purpose': purpose, 'knowledge.embedding.texts': texts.length }
        return await inSpan('embedding batch', { ...attributes, 'gen_ai.request.model': embedder.id }, () =>
          embedder.embed(texts, purpose, signal, onTokens),
        )
      } catch (error) {
        const isRefusal = error instanceof EmbeddingRejected && !(error instanceof EmbeddingNonsense)
        outcome = signal?.aborted === true ? 'abandoned' : isRefusal ? 'refused' : 'failed'
        throw error
      } finally {
        onCall({ purpose, outcome, texts: texts.length, durationMs: performance.now() - startedMs })
      }
    },
    prepare: async () => embedder.prepare?.(),
    close: () => embedder.close(),
  }
}
