import { spending } from '../platform/telemetry/work-record.ts'
import type { Embedder } from './embedder.ts'
import type { EmbeddingSettings } from './provider.ts'
import { createEmbedder, createEmbedderFor, isLengthOpen } from './providers.ts'
import { ProviderHealth } from './provider-health.ts'
import { QueryBatcher } from './query-batcher.ts'
import { type LengthOf, QueryLengths } from './query-lengths.ts'
import { type EmbeddingCall, observeEmbedder } from './telemetry/observed-embedder.ts'
import { estimatedTokens } from './token-estimate.ts'

/** Receives a tenant and a number of tokens after texts or queries of the tenant were embedded. */
export type OnTokens = (tenantId: string, tokens: number) => void

/** Receives each call of an embedder when the call has ended. */
export type OnCall = (call: EmbeddingCall) => void

/**
 * Keeps the embedders of one thread: the configured one, and those of other models with which tenants search until they
 * have moved to the configured one.
 */
export class EmbedderPool {
  /** The configured embedder. */
  readonly current: Embedder
  /** Whether the configured embedder gives vectors. It also takes note of calls in other threads. */
  readonly health: ProviderHealth
  /**
   * Start of the process, in milliseconds since 1970. If processes have different models configured, the process that
   * started later decides.
   */
  readonly startedAt = Date.now()
  readonly #settings: EmbeddingSettings
  readonly #others = new Map<string, Embedder | null>()
  readonly #batchers = new Map<Embedder, QueryBatcher>()
  readonly #onTokens: OnTokens
  readonly #onCall: OnCall
  readonly #lengths: QueryLengths

  /**
   * @param onTokens called after texts or queries were embedded, with their tenant and their tokens
   * @param onCall called at the end of each call of an embedder
   * @param lengthOf returns the length that query vectors must have; by default any length is right
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
    this.#lengths = new QueryLengths(lengthOf)
    const current = createEmbedder(settings)
    this.health = new ProviderHealth(current.id)
    this.#onCall = (call) => {
      this.health.note(call)
      onCall(call)
    }
    this.current = observeEmbedder(current, this.#onCall)
  }

  /** Returns the embedder with this id; null if the present settings cannot reach its model. */
  of(id: string): Embedder | null {
    if (id === this.current.id) return this.current
    let other = this.#others.get(id)
    if (other === undefined) {
      const created = createEmbedderFor(id, this.#settings)
      other = created === null ? null : observeEmbedder(created, this.#onCall)
      this.#others.set(id, other)
    }
    return other
  }

  /**
   * Returns the vectors of a tenant's texts, and counts their tokens as usage of the tenant.
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
   * Returns the vector of a query, which is requested together with other queries of the same turn of the event loop.
   * Null if the present settings cannot reach the model.
   * @param id id of the embedder
   * @throws EmbeddingUnavailable, EmbeddingRejected
   */
  queryVector(id: string, tenantId: string, query: string): Promise<Float32Array> | null {
    const embedder = this.of(id)
    if (embedder === null) return null
    let batcher = this.#batchers.get(embedder)
    if (batcher === undefined) this.#batchers.set(embedder, (batcher = new QueryBatcher(embedder, this.#onTokens)))
    const vector = spending('embedding', () => batcher.embed(query, tenantId))
    return isLengthOpen(id) ? vector.then((each) => this.#lengths.check(tenantId, id, each)) : vector
  }

  /** Loads the configured model, if it runs in this process. @throws the error that the first text would meet */
  async prepare(): Promise<void> {
    await this.current.prepare?.()
  }

  async close(): Promise<void> {
    for (const embedder of [this.current, ...this.#others.values()]) await embedder?.close()
  }
}
