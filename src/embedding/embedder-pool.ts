import { spending } from '../platform/telemetry/work-record.ts'
import { choosesReading, isRead } from './builtin/provider.ts'
import { NO_READER } from './contextual/no-reader.ts'
import type { TextReader } from './contextual/reader.ts'
import { type Embedder, EmbeddingUnavailable } from './embedder.ts'
import type { EmbeddingSettings } from './provider.ts'
import { createEmbedder, createEmbedderFor, isLengthOpen } from './providers.ts'
import { ProviderHealth } from './provider-health.ts'
import { QueryBatcher } from './query-batcher.ts'
import { type LengthOf, QueryLengths } from './query-lengths.ts'
import { ReadingSpeed } from './reading-speed.ts'
import { RecentQueries } from './recent-queries.ts'
import { type InstalledModels, installedModels, type TenantModels } from './target-model.ts'
import { type EmbeddingCall, observeEmbedder } from './telemetry/observed-embedder.ts'
import { type MeasuredOf, ModelScales } from './scale/model-scales.ts'
import type { Scale } from './scale/scale.ts'
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
  /** The models that the settings give to tenants without a choice of their own. */
  readonly installed: InstalledModels
  /** Whether the configured embedder gives vectors. It also takes note of calls in other threads. */
  readonly health: ProviderHealth
  /** How fast models read. It also takes note of calls in other threads. */
  readonly speed = new ReadingSpeed()
  /**
   * Start of the process, in milliseconds since 1970. If processes have different models configured, the process that
   * started later decides.
   */
  readonly startedAt = Date.now()
  /** Reads texts for the built-in models that need it. */
  readonly reader: TextReader
  readonly #settings: EmbeddingSettings
  readonly #others = new Map<string, Embedder | null>()
  readonly #batchers = new Map<Embedder, QueryBatcher>()
  readonly #onTokens: OnTokens
  readonly #onCall: OnCall
  readonly #lengths: QueryLengths
  readonly #recent = new RecentQueries()
  readonly #scales: ModelScales

  /**
   * @param onTokens called after texts or queries were embedded, with their tenant and their tokens
   * @param onCall called at the end of each call of an embedder
   * @param lengthOf returns the length that query vectors must have; by default any length is right
   * @param reader reads texts for the built-in models, and is closed with the pool; by default none are read
   * @param measuredOf returns what was measured of a model; by default only built-in models have a scale
   * @throws Error that names the wrong setting
   */
  constructor(
    settings: EmbeddingSettings,
    onTokens: OnTokens = () => undefined,
    onCall: OnCall = () => undefined,
    lengthOf: LengthOf = async () => null,
    reader: TextReader = NO_READER,
    measuredOf: MeasuredOf = async () => null,
  ) {
    this.#settings = settings
    this.#onTokens = onTokens
    this.#lengths = new QueryLengths(lengthOf)
    this.reader = reader
    this.#scales = new ModelScales(measuredOf)
    const current = createEmbedder(settings, reader)
    this.installed = installedModels(settings, current.id)
    this.health = new ProviderHealth(current.id, undefined, () => this.unreadReason())
    this.#onCall = (call) => {
      this.health.note(call)
      this.speed.note(call)
      onCall(call)
    }
    this.current = observeEmbedder(current, this.#onCall)
  }

  /** Returns the embedder with this id; null if the present settings cannot reach its model. */
  of(id: string): Embedder | null {
    if (id === this.current.id) return this.current
    let other = this.#others.get(id)
    if (other === undefined) {
      const created = createEmbedderFor(id, this.#settings, this.reader)
      other = created === null ? null : observeEmbedder(created, this.#onCall)
      this.#others.set(id, other)
    }
    return other
  }

  /** Returns why texts cannot be read with the model, in words for the operator; null when they can. */
  absenceOf(id: string): string | null {
    if (this.of(id) === null) return 'this version of the service does not have it'
    return isRead(id) ? this.reader.absence : null
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
    const vectors = await spending('embedding', () => embedder.embed(texts, 'passage', signal, count, tenantId))
    this.#onTokens(tenantId, counted ?? estimatedTokens(texts))
    return vectors
  }

  /** Whether the configured embedder needs the reader. */
  get reads(): boolean {
    return isRead(this.current.id)
  }

  /**
   * Tells why texts are not read by a built-in model that the settings or a tenant chose.
   * @param models those of the tenant; by default the settings alone decide
   * @returns null when they are read, and when nothing needs it
   */
  unreadReason({ model, choice }: TenantModels = { model: null, choice: null }): string | null {
    const isWanted = choice === null ? choosesReading(this.#settings) : isRead(choice)
    return isWanted || isRead(model) ? this.reader.trouble : null
  }

  /**
   * Returns the vector of a query: that of an equal one of the same tenant that was kept, or a new one, which is
   * requested together with other queries of the same turn of the event loop. While the model cannot read, it is what
   * stands in for that vector, if the model has such. Callers must not change it. Null if the present settings cannot
   * reach the model.
   * @param id id of the embedder
   * @throws EmbeddingUnavailable, EmbeddingRejected
   */
  queryVector(id: string, tenantId: string, query: string): Promise<Float32Array> | null {
    const embedder = this.of(id)
    if (embedder === null) return null
    const askModel = () => this.#batcherOf(embedder).embed(query, tenantId)
    if (embedder.answersAtOnce) return spending('embedding', askModel)
    const lengths = isLengthOpen(id) ? this.#lengths : null
    const ask = async (): Promise<Float32Array> => {
      const vector = await askModel()
      return lengths === null ? vector : lengths.check(tenantId, id, vector)
    }
    const check = async (kept: Float32Array): Promise<Float32Array> =>
      lengths === null ? kept : lengths.checkAgain(tenantId, id, kept)
    const vector = spending('embedding', () => this.#recent.vectorOf(tenantId, id, query, ask, check))
    const { standIn } = embedder
    if (standIn === undefined) return vector
    return vector.catch((error: unknown) => {
      if (error instanceof EmbeddingUnavailable) return standIn(query, 'query')
      throw error
    })
  }

  #batcherOf(embedder: Embedder): QueryBatcher {
    let batcher = this.#batchers.get(embedder)
    if (batcher === undefined) this.#batchers.set(embedder, (batcher = new QueryBatcher(embedder, this.#onTokens)))
    return batcher
  }

  /** Returns the scale on which the cosines of a model count; the identity until the model is measured. */
  scaleOf(id: string): Promise<Scale> {
    return this.#scales.of(id)
  }

  /** Loads the configured model, if it is to be loaded before it is needed. @throws the error that the first text would meet */
  async prepare(): Promise<void> {
    await this.current.prepare?.()
  }

  async close(): Promise<void> {
    for (const embedder of [this.current, ...this.#others.values()]) await embedder?.close()
    await this.reader.close()
  }
}
