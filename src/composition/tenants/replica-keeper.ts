import { findTenant } from '../../identity/tenants/rules.ts'
import { parseSettings } from '../../identity/tenants/settings.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SearchEngine } from '../../search/engine.ts'
import type { ListedReplica } from '../../search/pgvector/listed-replica.ts'
import { dropReplica, everyReplica, noteSearched } from '../../search/pgvector/replicas.ts'
import type { ReplicaUse } from '../../search/engines/replica-use.ts'

/**
 * Drops what tenants no longer need after a change of their search engine: the indexes in memory once all replicas of
 * the tenant are complete, and a replica once memory has answered in its place and no process has searched it for a
 * while. Replicas that no search can use go at once: of removed tenants, unfinished ones, and those of a former model.
 * Replicas that are behind are brought up to date: another process may have written, or this one may have failed to read.
 */
export class ReplicaKeeper {
  readonly #database: Database
  readonly #memory: Pick<SearchEngine, 'drop'>
  readonly #use: ReplicaUse
  readonly #follow: (tenantId: string) => void
  /** By tenant: the replicas for which its indexes in memory were dropped. */
  readonly #relieved = new Map<string, string>()

  /** @param follow lets the replicas of a tenant follow its writes */
  constructor(
    database: Database,
    memory: Pick<SearchEngine, 'drop'>,
    use: ReplicaUse,
    follow: (tenantId: string) => void,
  ) {
    this.#database = database
    this.#memory = memory
    this.#use = use
    this.#follow = follow
  }

  /** Drops indexes and replicas that are not needed any more, and has the others follow writes. */
  async look(): Promise<void> {
    await noteSearched(this.#database, this.#use.takeSearched())
    const replicas = await everyReplica(this.#database)
    this.#use.know(replicas.filter(({ isReady }) => isReady))
    for (const [tenantId, own] of Map.groupBy(replicas, (replica) => replica.tenantId)) {
      const tenant = await findTenant(this.#database.queries, tenantId)
      if (tenant !== null && parseSettings(tenant.settings).searchEngine === 'pgvector') {
        const { embedding_model: model, watermark } = tenant
        const former = own.filter((each) => isOfFormer(model, each, own))
        const current = own.filter((each) => !former.includes(each))
        for (const replica of former) await dropReplica(this.#database, replica)
        const isBehind = (each: ListedReplica): boolean =>
          each.isReady && each.model === model && each.reached < watermark
        if (current.some(isBehind)) this.#follow(tenantId)
        if (current.length > 0) await this.#relieveMemory(tenantId, current)
        continue
      }
      this.#relieved.delete(tenantId)
      for (const replica of own) {
        if (tenant === null || this.#isUnneeded(replica)) await dropReplica(this.#database, replica)
      }
    }
  }

  #isUnneeded(replica: ListedReplica): boolean {
    return !replica.isReady || (replica.isIdle && this.#use.isReplaced(replica))
  }

  /** Drops the indexes in memory, once for the same replicas. While a replica is built, memory answers. */
  async #relieveMemory(tenantId: string, replicas: readonly ListedReplica[]): Promise<void> {
    if (!replicas.every(({ isReady }) => isReady)) {
      this.#relieved.delete(tenantId)
      return
    }
    const names = JSON.stringify(replicas.map(({ index, model }) => [index, model]))
    if (this.#relieved.get(tenantId) === names) return
    await this.#memory.drop(tenantId)
    this.#relieved.set(tenantId, names)
  }
}

/** Tells whether a replica is of a former model and useless: it is not complete, or one of the current model is. */
function isOfFormer(model: string | null, replica: ListedReplica, all: readonly ListedReplica[]): boolean {
  if (replica.model === model) return false
  return (
    !replica.isReady || all.some((other) => other.index === replica.index && other.model === model && other.isReady)
  )
}
