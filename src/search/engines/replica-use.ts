import type { IndexVersion } from '../engine.ts'

/** A tenant's index. */
type Place = Pick<IndexVersion, 'tenantId' | 'index'>

/**
 * Keeps what this process knows of search replicas in PostgreSQL. The keeper of replicas (`ReplicaKeeper`) reports the
 * replicas that exist. Searches note the engine that answered, which tells the keeper the replicas that are in use.
 */
export class ReplicaUse {
  #ready = new Map<string, Place>()
  /** Tenants that a search of this process asked for in PostgreSQL; a replica of theirs may be being built. */
  readonly #asked = new Set<string>()
  /** Indexes whose replica answered a search since `takeSearched` was last called. */
  #searched = new Map<string, Place>()
  /** Keys of indexes for which memory answered later than their replica. */
  readonly #replaced = new Set<string>()

  /** Replaces the list of whole replicas. @param ready all indexes that have one */
  know(ready: readonly Place[]): void {
    this.#ready = new Map(ready.map((place) => [keyOf(place), place]))
    for (const key of this.#replaced) if (!this.#ready.has(key)) this.#replaced.delete(key)
  }

  /** Tells whether the index has a whole replica, as far as this process knows. */
  hasReplica(place: Place): boolean {
    return this.#ready.has(keyOf(place))
  }

  /**
   * Tells whether the tenant has a whole replica, or one that this process may be building; without `tenantId`, whether
   * any tenant has.
   */
  hasAny(tenantId?: string): boolean {
    if (tenantId === undefined) return this.#ready.size + this.#asked.size > 0
    if (this.#asked.has(tenantId)) return true
    return this.#ready.values().some((place) => place.tenantId === tenantId)
  }

  /** Notes that a search asks for a replica, which may have to be built. */
  noteAsked({ tenantId }: Place): void {
    this.#asked.add(tenantId)
  }

  /** Notes that the replica of an index answered a search, and so is whole. */
  noteReplica({ tenantId, index }: Place): void {
    const key = keyOf({ tenantId, index })
    const place = this.#ready.get(key) ?? { tenantId, index }
    this.#ready.set(key, place)
    this.#searched.set(key, place)
    this.#replaced.delete(key)
  }

  /** Notes that memory answered a search of an index. */
  noteMemory(place: Place): void {
    if (this.hasReplica(place)) this.#replaced.add(keyOf(place))
  }

  /** Returns the indexes whose replica answered a search since the last call. */
  takeSearched(): readonly Place[] {
    const searched = [...this.#searched.values()]
    this.#searched = new Map()
    return searched
  }

  /** Tells whether memory answered a search of the index after the replica last did. */
  isReplaced(place: Place): boolean {
    return this.#replaced.has(keyOf(place))
  }
}

function keyOf({ tenantId, index }: Place): string {
  return `${index} ${tenantId}`
}
