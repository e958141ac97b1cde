import { type Embedder, EmbeddingRejected } from './embedder.ts'

interface Waiting {
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
  #waiting: Waiting[] = []

  constructor(embedder: Embedder) {
    this.#embedder = embedder
  }

  /** @throws EmbeddingRejected for this text alone, EmbeddingUnavailable for all texts of the call */
  embed(text: string): Promise<Float32Array> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ text, resolve, reject }) === 1) setImmediate(() => this.#flush())
    })
  }

  #flush(): void {
    const waiting = this.#waiting.splice(0)
    const size = Math.max(1, this.#embedder.batchSize)
    for (let from = 0; from < waiting.length; from += size) void this.#call(waiting.slice(from, from + size))
  }

  async #call(batch: readonly Waiting[]): Promise<void> {
    const texts = batch.map(({ text }) => text)
    try {
      const vectors = await this.#embedder.embed(texts, 'query')
      for (const [i, { resolve }] of batch.entries()) resolve(vectors[i])
    } catch (error) {
      // A refused text must not fail the others, so each is sent again by itself.
      if (error instanceof EmbeddingRejected && batch.length > 1) for (const each of batch) void this.#call([each])
      else for (const { reject } of batch) reject(error)
    }
  }
}
