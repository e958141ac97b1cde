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
import { within } from '../../platform/within.ts'
import type { ReplicaUse } from './replica-use.ts'

/** Least milliseconds in which the second engine may answer: one that is ready needs no more. */
const SECOND_MS = 1_000

/**
 * Searches each tenant with the engine of the tenant's settings. After a change of that setting, the former engine
 * answers until the new one is ready. The keeper of replicas decides when a replica that is no longer used is dropped.
 */
export class RoutedEngine implements EngineForRequests {
  readonly #memory: EngineForRequests
  /** Null where the database can have no replicas. */
  readonly #pgvector: EngineForRequests | null
  readonly #use: ReplicaUse
  readonly #waitMs: number

  /** @param waitMs milliseconds that a search waits for both engines together */
  constructor(memory: EngineForRequests, pgvector: EngineForRequests | null, use: ReplicaUse, waitMs = Infinity) {
    this.#waitMs = waitMs
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
    const began = performance.now()
    try {
      return await this.#askReplica(request)
    } catch (error) {
      if (!(error instanceof IndexBuilding)) throw error
      return this.#inTime(began, this.#memory.search(request), error)
    }
  }

  async #searchMemory(request: SearchRequest): Promise<SearchAnswer> {
    const began = performance.now()
    try {
      const answer = await this.#memory.search(request)
      // Where memory has no room for all documents, a replica that has them answers instead.
      if (answer.leftOut !== undefined && this.#pgvector !== null && this.#use.hasReplica(request.version))
        return await this.#askReplica(request).catch(() => answer)
      this.#use.noteMemory(request.version)
      return answer
    } catch (error) {
      if (!isNotReady(error) || this.#pgvector === null || !this.#use.hasReplica(request.version)) throw error
      return this.#inTime(began, this.#askReplica(request), error)
    }
  }

  /** Waits for the second engine as long as the first one has left. @throws `reason` if the second is not ready either */
  #inTime(began: number, answer: Promise<SearchAnswer>, reason: Error): Promise<SearchAnswer> {
    const leftMs = Math.max(SECOND_MS, this.#waitMs - (performance.now() - began))
    return within(leftMs, answer, () => reason).catch(preferReason(reason))
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
