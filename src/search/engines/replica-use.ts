import type { IndexVersion } from '../engine.ts'

type Place = Pick<IndexVersion, 'tenantId' | 'index'>

/**
 * What this process knows of replicas in PostgreSQL. The keeper of replicas tells which there are. Searches note which
 * engine has answered, so that the keeper knows which replicas are still needed.
 */
export class ReplicaUse {
  #ready = new Map<string, Place>()
  #searched = new Map<string, Place>()
  /** Indexes that memory has answered for since their replica last did. */
  readonly #replaced = new Set<string>()

  /** @param ready all indexes whose replicas are whole; what was known before is forgotten */
  know(ready: readonly Place[]): void {
    this.#ready = new Map(ready.map((place) => [keyOf(place), place]))
    for (const key of this.#replaced) if (!this.#ready.has(key)) this.#replaced.delete(key)
  }

  /** Whether there is a whole replica of the index, as far as this process knows. */
  hasReplica(place: Place): boolean {
    return this.#ready.has(keyOf(place))
  }

  /** @param tenantId by default, whether any tenant has a replica */
  hasAny(tenantId?: string): boolean {
    if (tenantId === undefined) return this.#ready.size > 0
    return this.#ready.values().some((place) => place.tenantId === tenantId)
  }

  noteReplica({ tenantId, index }: Place): void {
    const key = keyOf({ tenantId, index })
    const place = this.#ready.get(key) ?? { tenantId, index }
    this.#ready.set(key, place)
    this.#searched.set(key, place)
    this.#replaced.delete(key)
  }

  noteMemory(place: Place): void {
    if (this.hasReplica(place)) this.#replaced.add(keyOf(place))
  }

  /** The indexes whose replicas have answered since this was last asked. */
  takeSearched(): readonly Place[] {
    const searched = [...this.#searched.values()]
    this.#searched = new Map()
    return searched
  }

  /** Whether memory has answered for the index since its replica last did. */
  isReplaced(place: Place): boolean {
    return this.#replaced.has(keyOf(place))
  }
}

function keyOf({ tenantId, index }: Place): string {
  return `${index} ${tenantId}`
}
