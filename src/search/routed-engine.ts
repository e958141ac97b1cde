import {
  type EngineStatus,
  IndexBuilding,
  IndexRefused,
  type IndexVersion,
  type SearchAnswer,
  type SearchEngine,
  type SearchRequest,
} from './engine.ts'

/**
 * Searches each tenant with the engine of its settings. A tenant that changes its engine is searched by the one that it
 * leaves until the other one is ready.
 */
export class RoutedEngine implements SearchEngine {
  readonly #memory: SearchEngine
  /** Null where the database can have no replicas. */
  readonly #pgvector: SearchEngine | null
  /** Tenants that pgvector has answered for, since this process began. */
  readonly #moved = new Set<string>()
  /** Of these, the ones whose indexes in memory have been given back. */
  readonly #relieved = new Set<string>()

  constructor(memory: SearchEngine, pgvector: SearchEngine | null) {
    this.#memory = memory
    this.#pgvector = pgvector
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#engineOf(request.version) === null ? this.#searchMemory(request) : this.#searchReplica(request)
  }

  requireRoom(tenantId: string, index: string, engine?: IndexVersion['engine']): void {
    if (engine !== 'pgvector' || this.#pgvector === null) this.#memory.requireRoom(tenantId, index)
  }

  warm(version: IndexVersion): Promise<void> {
    return (this.#engineOf(version) ?? this.#memory).warm(version)
  }

  /**
   * Gives back memory. Replicas take none; they are brought up to date where somebody is erased, and dropped with the
   * tenant or once it has another engine.
   */
  drop(tenantId: string): Promise<void> {
    return this.#memory.drop(tenantId)
  }

  async status(tenantId?: string): Promise<EngineStatus> {
    const memory = await this.#memory.status(tenantId)
    const isAsked = tenantId === undefined ? this.#moved.size > 0 : this.#moved.has(tenantId)
    if (this.#pgvector === null || !isAsked) return memory
    const replicas = await this.#pgvector.status(tenantId)
    return {
      ...memory,
      indexes: memory.indexes + replicas.indexes,
      documents: memory.documents + replicas.documents,
      passages: memory.passages + replicas.passages,
      unreadable: memory.unreadable + replicas.unreadable,
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.#memory.close(), this.#pgvector?.close()])
  }

  #engineOf({ engine }: IndexVersion): SearchEngine | null {
    return engine === 'pgvector' ? this.#pgvector : null
  }

  async #searchReplica(request: SearchRequest): Promise<SearchAnswer> {
    const { tenantId } = request.version
    try {
      const answer = await this.#pgvector!.search(request)
      this.#moved.add(tenantId)
      this.#relieve(tenantId)
      return answer
    } catch (error) {
      if (!(error instanceof IndexBuilding)) throw error
      this.#relieved.delete(tenantId)
      return this.#instead(this.#memory, request, error)
    }
  }

  async #searchMemory(request: SearchRequest): Promise<SearchAnswer> {
    try {
      return await this.#memory.search(request)
    } catch (error) {
      if (!isNotReady(error) || !this.#moved.has(request.version.tenantId)) throw error
      return this.#instead(this.#pgvector!, request, error)
    }
  }

  /** @throws `reason` when the other engine is not ready either */
  async #instead(engine: SearchEngine, request: SearchRequest, reason: Error): Promise<SearchAnswer> {
    try {
      return await engine.search(request)
    } catch (error) {
      throw isNotReady(error) ? reason : error
    }
  }

  /** Once; an index that a later search needs all the same is built again. */
  #relieve(tenantId: string): void {
    if (this.#relieved.has(tenantId)) return
    this.#relieved.add(tenantId)
    this.#memory.drop(tenantId).catch(() => this.#relieved.delete(tenantId))
  }
}

function isNotReady(error: unknown): error is Error {
  return error instanceof IndexBuilding || error instanceof IndexRefused
}
