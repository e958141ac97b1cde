import type { Embedder } from './embedder.ts'
import type { EmbeddingSettings } from './provider.ts'
import { createEmbedder, createEmbedderFor } from './providers.ts'
import { QueryBatcher } from './query-batcher.ts'
import { estimatedTokens } from './token-estimate.ts'

/** Called after texts or queries of a tenant were embedded, with the number of their tokens. */
export type OnTokens = (tenantId: string, tokens: number) => void

/**
 * The embedders of one thread: the configured one, and those of models that tenants still search with until they have
 * moved to it.
 */
export class EmbedderPool {
  readonly current: Embedder
  /** When the process started; of processes that want different models the younger has precedence. */
  readonly startedAt = Date.now()
  readonly #settings: EmbeddingSettings
  readonly #others = new Map<string, Embedder | null>()
  readonly #batchers = new Map<Embedder, QueryBatcher>()
  readonly #onTokens: OnTokens

  /**
   * @param onTokens told what is embedded for whom
   * @throws Error that names the wrong setting
   */
  constructor(settings: EmbeddingSettings, onTokens: OnTokens = () => undefined) {
    this.#settings = settings
    this.#onTokens = onTokens
    this.current = createEmbedder(settings)
  }

  /** The embedder with this id; null if the current settings cannot reach its model. */
  of(id: string): Embedder | null {
    if (id === this.current.id) return this.current
    let other = this.#others.get(id)
    if (other === undefined) {
      other = createEmbedderFor(id, this.#settings)
      this.#others.set(id, other)
    }
    return other
  }

  /**
   * The vectors of a tenant's texts, counted as its usage.
   * @throws EmbeddingUnavailable, EmbeddingRejected
   */
  async embed(
    embedder: Embedder,
    tenantId: string,
    texts: readonly string[],
    signal?: AbortSignal,
  ): Promise<Float32Array[]> {
    let counted: number | null = null
    const vectors = await embedder.embed(texts, 'passage', signal, (tokens) => (counted = (counted ?? 0) + tokens))
    this.#onTokens(tenantId, counted ?? estimatedTokens(texts))
    return vectors
  }

  /** The vector of a query, requested together with others that arrive in the same turn; null like `of`. */
  queryVector(id: string, tenantId: string, query: string): Promise<Float32Array> | null {
    const embedder = this.of(id)
    if (embedder === null) return null
    let batcher = this.#batchers.get(embedder)
    if (batcher === undefined) this.#batchers.set(embedder, (batcher = new QueryBatcher(embedder, this.#onTokens)))
    return batcher.embed(query, tenantId)
  }

  async close(): Promise<void> {
    for (const embedder of [this.current, ...this.#others.values()]) await embedder?.close()
  }
}
