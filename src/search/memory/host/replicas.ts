/** Makes, finds, drops and replaces the replicas of one thread. */
import { type IndexSource, IndexRefused, type IndexVersion, type RefusalReason } from '../../engine.ts'
import type { TextAnalyser } from '../../indexing/text-analyser.ts'
import type { VectorMemory } from '../columns/vector-column.ts'
import { TenantIndex } from '../index/tenant-index.ts'
import { isIdle, newReplica, type Replica } from './replica.ts'

export interface ReplicasOptions {
  readonly sources: ReadonlyMap<string, IndexSource>
  readonly memory: VectorMemory
  readonly analyser: TextAnalyser
  /** Clock in milliseconds. */
  readonly now: () => number
  /** Called when searches have moved to a new replica. */
  readonly onWaiting: (replica: Replica) => void
  /** Called when a replica leaves, before its memory is freed. */
  readonly onDropped: (replica: Replica) => void
}

export class Replicas {
  readonly #options: ReplicasOptions
  readonly #byKey = new Map<string, Replica>()
  /** Number of uses, so that replicas that are used in the same millisecond have an order. */
  #uses = 0

  constructor(options: ReplicasOptions) {
    this.#options = options
  }

  /** Returns the replicas of this moment; later additions and drops do not change the list. */
  list(tenantId: string | null = null): Replica[] {
    const replicas = Array.from(this.#byKey.values())
    return tenantId === null ? replicas : replicas.filter(({ version }) => version.tenantId === tenantId)
  }

  /** Returns the replica of a version, if there is one, without marking it as used. */
  find(version: IndexVersion): Replica | undefined {
    return this.#byKey.get(keyOf(version))
  }

  /** Returns the replica of a version, or a new one, and marks it as used. Returns null for an unknown index. */
  use(version: IndexVersion): Replica | null {
    const replica = this.open(version)
    if (replica === null) return null
    replica.lastUsed = ++this.#uses
    replica.usedAt = this.#options.now()
    return replica
  }

  /** As `use`, without marking the replica: one that was never used makes room for others first. */
  open(version: IndexVersion): Replica | null {
    const { sources, memory, analyser, now } = this.#options
    const source = sources.get(version.index)
    if (source === undefined) return null
    const key = keyOf(version)
    let replica = this.#byKey.get(key)
    if (replica === undefined) {
      replica = newReplica(key, version, source, new TenantIndex(source.definition, memory, analyser))
      replica.savedAt = now()
      this.#byKey.set(key, replica)
    }
    return replica
  }

  /**
   * Drops a replica. Its waiting searches move to a new replica at once: a run that reads for the former one may wait
   * for a database that does not answer.
   */
  drop(replica: Replica): void {
    this.#forget(replica)
    this.moveWaiting(replica)
  }

  /** Drops a replica and fails the searches that wait for it with `IndexRefused`. */
  refuse(replica: Replica, reason: RefusalReason): void {
    const error = new IndexRefused(reason)
    this.#forget(replica)
    for (const job of replica.waiting.splice(0)) job.settle(error)
  }

  /** Moves the searches that wait for a dropped replica to a new one. */
  moveWaiting(replica: Replica): void {
    if (replica.waiting.length > 0) this.#moveTo(this.use(replica.version)!, replica)
  }

  /** Replaces an outgrown replica by one that is built from the database alone, since the snapshot is outgrown too. */
  startAnew(replica: Replica): void {
    this.#forget(replica)
    const fresh = this.use(replica.version)!
    fresh.isAnew = true
    this.#moveTo(fresh, replica)
  }

  /** Drops the idle replicas with the same documents and the vectors of other models. */
  dropOtherModels({ version }: Replica): void {
    for (const other of this.list(version.tenantId)) {
      const { index, model } = other.version
      if (index === version.index && model !== version.model && isIdle(other)) this.drop(other)
    }
  }

  #moveTo(fresh: Replica, { waiting }: Replica): void {
    fresh.waiting.push(...waiting.splice(0))
    this.#options.onWaiting(fresh)
  }

  #forget(replica: Replica): void {
    replica.dropped = true
    this.#byKey.delete(replica.key)
    this.#options.onDropped(replica)
    replica.index.free()
  }
}

function keyOf({ tenantId, index, model }: IndexVersion): string {
  return JSON.stringify([tenantId, index, model])
}
