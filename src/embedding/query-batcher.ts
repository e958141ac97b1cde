import { type Embedder, EmbeddingRejected } from './embedder.ts'
import { estimatedTokens } from './token-estimate.ts'

/** A query that waits for its vector. */
interface WaitingQuery {
  readonly tenantId: string
  readonly text: string
  readonly resolve: (vector: Float32Array) => void
  readonly reject: (error: unknown) => void
}

/**
 * Embeds all queries that arrive in one turn of the event loop with one call. Under load a provider answers many
 * searches at once, and a single search waits for no other.
 */
export class QueryBatcher {
  readonly #embedder: Embedder
  readonly #onTokens: (tenantId: string, tokens: number) => void
  #waiting: WaitingQuery[] = []

  /** @param onTokens called with the tenant and the tokens of each embedded query */
  constructor(embedder: Embedder, onTokens: (tenantId: string, tokens: number) => void = () => undefined) {
    this.#embedder = embedder
    this.#onTokens = onTokens
  }

  /**
   * Returns a query's vector.
   * @throws EmbeddingRejected for this text alone, EmbeddingUnavailable for all texts of the call
   */
  embed(text: string, tenantId = ''): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ text, tenantId, resolve, reject }) === 1) setImmediate(() => this.#flush())
    })
  }

  /** Divides the tokens of a call among its queries by their lengths. */
  #count(batch: readonly WaitingQuery[], tokens: number): void {
    const characters = batch.reduce((sum, { text }) => sum + text.length, 0)
    for (const { tenantId, text } of batch) {
      this.#onTokens(tenantId, Math.round((tokens * text.length) / Math.max(1, characters)))
    }
  }

  #flush(): void {
    const waiting = this.#waiting.splice(0)
    const { batchSize, queryBatchSize = batchSize } = this.#embedder
    const size = Math.max(1, queryBatchSize)
    for (let from = 0; from < waiting.length; from += size) void this.#call(waiting.slice(from, from + size))
  }

  async #call(batch: readonly WaitingQuery[]): Promise<void> {
    const texts = batch.map(({ text }) => text)
    const owner = batch.every(({ tenantId }) => tenantId === batch[0].tenantId) ? batch[0].tenantId : undefined
    try {
      let counted = 0
      const onTokens = (tokens: number): number => (counted += tokens)
      const vectors = await this.#embedder.embed(texts, 'query', undefined, onTokens, owner)
      this.#count(batch, counted || estimatedTokens(texts))
      for (const [i, { resolve }] of batch.entries()) resolve(vectors[i])
    } catch (error) {
      // A refused text must not fail the other queries, so each query is sent again by itself.
      if (error instanceof EmbeddingRejected && batch.length > 1) for (const each of batch) void this.#call([each])
      else for (const { reject } of batch) reject(error)
    }
  }
}
