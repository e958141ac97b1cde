import { inSpan } from '../../platform/telemetry/work-record.ts'
import { type Embedder, EmbeddingNonsense, EmbeddingRejected } from '../embedder.ts'

/** The outcome of a call. `refused`: the provider does not take the text. `abandoned`: the caller gave up the call. */
export type EmbeddingOutcome = 'answered' | 'refused' | 'failed' | 'abandoned'

/** One call of an embedder, with all its attempts. */
export interface EmbeddingCall {
  /** Id of the embedder. */
  readonly model: string
  readonly purpose: 'query' | 'passage'
  readonly outcome: EmbeddingOutcome
  readonly texts: number
  /** Tokens of the texts; absent where neither provider nor model counts them. */
  readonly tokens?: number
  readonly durationMs: number
}

/** Returns an embedder that works like another one and calls `onCall` at the end of each call. */
export function observeEmbedder(embedder: Embedder, onCall: (call: EmbeddingCall) => void): Embedder {
  return {
    id: embedder.id,
    // A getter, because the dimensions of a provider's model are unknown before its first answer.
    get dimensions() {
      return embedder.dimensions
    },
    batchSize: embedder.batchSize,
    queryBatchSize: embedder.queryBatchSize,
    answersAtOnce: embedder.answersAtOnce,
    async embed(texts, purpose, signal, onTokens, owner) {
      const startedMs = performance.now()
      let outcome: EmbeddingOutcome = 'answered'
      let counted: number | undefined
      const count = (tokens: number): void => {
        counted = (counted ?? 0) + tokens
        onTokens?.(tokens)
      }
      try {
        const attributes = { 'knowledge.embedding.purpose': purpose, 'knowledge.embedding.texts': texts.length }
        return await inSpan('embedding batch', { ...attributes, 'gen_ai.request.model': embedder.id }, () =>
          embedder.embed(texts, purpose, signal, count, owner),
        )
      } catch (error) {
        const isRefusal = error instanceof EmbeddingRejected && !(error instanceof EmbeddingNonsense)
        outcome = signal?.aborted === true ? 'abandoned' : isRefusal ? 'refused' : 'failed'
        throw error
      } finally {
        const durationMs = performance.now() - startedMs
        onCall({ model: embedder.id, purpose, outcome, texts: texts.length, tokens: counted, durationMs })
      }
    },
    passageSizes: embedder.passageSizes,
    standIn: embedder.standIn,
    prepare: async () => embedder.prepare?.(),
    close: () => embedder.close(),
  }
}
