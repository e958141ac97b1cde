import { spending } from '../platform/telemetry/work-record.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingSettings } from './provider.ts'
import { createEmbedder, createEmbedderFor, isLengthOpen } from './providers.ts'
import { QueryBatcher } from './query-batcher.ts'
import { type LengthOf, QueryLengths } from './query-lengths.ts'
import { type EmbeddingCall, observed } from './telemetry/observed-embedder.ts'
import { estimatedTokens } from './token-estimate.ts'

/** Called after texts or queries of a tenant were embedded, with the number of their tokens. */
export type OnTokens = (tenantId: string, tokens: number) => void

/** Called when a call of an embedder has ended. */
export type OnCall = (call: EmbeddingCall) => void

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
  readonly #onCall: OnCall
  readonly #lengths: QueryLengths

  /**
   * @param onTokens told what is embedded for whom
   * @param onCall told of each call of an embedder when it ends
   * @param lengthOf the length that vectors of queries must have; by default any
   * @throws Error that names the wrong setting
   */
  constructor(
    settings: EmbeddingSettings,
    onTokens: OnTokens = () => undefined,
    onCall: OnCall = () => undefined,
    lengthOf: LengthOf = async () => null,
  ) {
    this.#settings = settings
    this.#onTokens = onTokens
    this.#onCall = onCall
    this.#lengths = new QueryLengths(lengthOf)
    this.current = observed(createEmbedder(settings), onCall)
  }

  /** The embedder with this id; null if the current settings cannot reach its model. */
  of(id: string): Embedder | null {
    if (id === this.current.id) return this.current
    let other = this.#others.get(id)
    if (other === undefined) {
      const created = createEmbedderFor(id, this.#settings)
      other = created === null ? null : observed(created, this.#onCall)
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
    const count = (tokens: number): void => {
      counted = (counted ?? 0) + tokens
    }
    const vectors = await spending('embedding', () => embedder.embed(texts, 'passage', signal, count))
    this.#onTokens(tenantId, counted ?? estimatedTokens(texts))
    return vectors
  }

  /**
   * The vector of a query, requested together with others that arrive in the same turn; null like `of`.
   * @throws EmbeddingUnavailable, EmbeddingRejected
   */
  queryVector(id: string, tenantId: string, query: string): Promise<Float32Array> | null {
    const embedder = this.of(id)
    if (embedder === null) return null
    let batcher = this.#batchers.get(embedder)
    if (batcher === undefined) this.#batchers.set(embedder, (batcher = new QueryBatcher(embedder, this.#onTokens)))
    const made = spending('embedding', () => batcher.embed(query, tenantId))
    return isLengthOpen(id) ? made.then((vector) => this.#lengths.checked(tenantId, id, vector)) : made
  }

  /** Loads the configured model, where it runs in this process. @throws what the first text would meet */
  async prepare(): Promise<void> {
    await this.current.prepare?.()
  }

  async close(): Promise<void> {
    for (const embedder of [this.current, ...this.#others.values()]) await embedder?.close()
  }
}
