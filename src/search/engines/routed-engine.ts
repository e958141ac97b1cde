import {
  type EngineForRequests,
  type EngineStatus,
  IndexBuilding,
  IndexRefused,
  type IndexVersion,
  type SearchAnswer,
  type SearchRequest,
} from '../engine.ts'
import { sumOfStatuses } from '../status-sum.ts'
import type { ReplicaUse } from './replica-use.ts'

/**
 * Searches each tenant with the engine of the tenant's settings. After a change of that setting, the former engine
 * answers until the new one is ready. The keeper of replicas decides when a replica that is no longer used is dropped.
 */
export class RoutedEngine implements EngineForRequests {
  readonly #memory: EngineForRequests
  /** Null where the database can have no replicas. */
  readonly #pgvector: EngineForRequests | null
  readonly #use: ReplicaUse

  constructor(memory: EngineForRequests, pgvector: EngineForRequests | null, use: ReplicaUse) {
    this.#memory = memory
    this.#pgvector = pgvector
    this.#use = use
  }

  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#engineOf(request.version) === null ? this.#searchMemory(request) : this.#searchReplica(request)
  }

  requireRoom(tenantId: string, index: string, engine?: IndexVersion['engine']): void {
    const mayHaveReplica = engine === 'pgvector' || this.#use.hasReplica({ tenantId, index })
    if (this.#pgvector === null || !mayHaveReplica) this.#memory.requireRoom(tenantId, index)
  }

  async status(tenantId?: string): Promise<EngineStatus> {
    const memory = await this.#memory.status(tenantId)
    if (this.#pgvector === null || !this.#use.hasAny(tenantId)) return memory
    return sumOfStatuses(memory, [await this.#pgvector.status(tenantId)])
  }

  #engineOf({ engine }: IndexVersion): EngineForRequests | null {
    return engine === 'pgvector' ? this.#pgvector : null
  }

  async #searchReplica(request: SearchRequest): Promise<SearchAnswer> {
    try {
      return await this.#askReplica(request)
    } catch (error) {
      if (!(error instanceof IndexBuilding)) throw error
      return this.#memory.search(request).catch(preferReason(error))
    }
  }

  async #searchMemory(request: SearchRequest): Promise<SearchAnswer> {
    try {
      const answer = await this.#memory.search(request)
      this.#use.noteMemory(request.version)
      return answer
    } catch (error) {
      if (!isNotReady(error) || this.#pgvector === null || !this.#use.hasReplica(request.version)) throw error
      return this.#askReplica(request).catch(preferReason(error))
    }
  }

  async #askReplica(request: SearchRequest): Promise<SearchAnswer> {
    this.#use.noteAsked(request.version)
    const answer = await this.#pgvector!.search(request)
    this.#use.noteReplica(request.version)
    return answer
  }
}

/** Returns a handler that throws the first engine's `reason` if the second engine is not ready either. */
function preferReason(reason: Error): (error: unknown) => never {
  return (error) => {
    throw isNotReady(error) ? reason : error
  }
}

function isNotReady(error: unknown): error is Error {
  return error instanceof IndexBuilding || error instanceof IndexRefused
}
