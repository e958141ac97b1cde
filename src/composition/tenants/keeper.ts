import { openErasures } from '../../identity/administration/erasure.ts'
import { settlePauses } from '../../identity/quotas/rules.ts'
import { suspendedTenants } from '../../identity/tenants/list-rules.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SearchEngine } from '../../search/engine.ts'
import type { ReplicaUse } from '../../search/engines/replica-use.ts'
import { removeDueTenants } from './removal.ts'
import { removedSince } from './removal-store.ts'
import { ReplicaKeeper } from './replica-keeper.ts'
import { countDueUsage } from './count-usage.ts'

const INTERVAL_MS = 10_000

export interface TenantKeeper {
  /** Does the work that is due. @param now milliseconds since 1970 */
  keep(now?: number): Promise<void>
  /** Ends the work before its next write, and resolves when it has ended. */
  close(): Promise<void>
}

/**
 * Looks after tenants in the background. It drops the indexes of suspended tenants and of tenants that erase a user,
 * and indexes and replicas that a change of the search engine made useless. It removes tenants that are due, counts
 * what each tenant has, and pauses the embedding of tenants that have used up their quota.
 * @param replicaUse replicas that searches of this process used
 * @param follow lets the replicas of a tenant follow its writes; by default none follow
 */
export function startTenantKeeper(
  database: Database,
  engine: Pick<SearchEngine, 'drop'>,
  onError: (error: unknown) => void,
  replicaUse: ReplicaUse,
  follow: (tenantId: string) => void = () => undefined,
  intervalMs: number = INTERVAL_MS,
): TenantKeeper {
  const closing = new AbortController()
  const { signal } = closing
  const dropped = new Set<string>()
  const replicas = new ReplicaKeeper(database, engine, replicaUse, follow)
  /** Tenants with an open erasure, by user: the user's last request may still store a note. */
  let erasing = new Map<string, string>()
  let lastLookAt = Date.now()
  let running: Promise<void> = Promise.resolve()

  /** Drops the indexes of suspended tenants, and of those that another process removed before this one saw it. */
  const giveBackMemory = async (now: number): Promise<void> => {
    const suspended = await suspendedTenants(database.queries)
    // A minute more, since the clocks of two processes may differ.
    const gone = await removedSince(database.queries, lastLookAt - 60_000)
    lastLookAt = now
    for (const tenantId of [...suspended, ...gone]) {
      if (dropped.has(tenantId)) continue
      await engine.drop(tenantId)
      dropped.add(tenantId)
    }
    const without = new Set([...suspended, ...gone])
    for (const tenantId of dropped) if (!without.has(tenantId)) dropped.delete(tenantId)
  }

  /** Drops indexes when an erasure begins and ends: until they are built anew, they have words of deleted notes. */
  const forgetErased = async (): Promise<void> => {
    const open = new Map((await openErasures(database.queries)).map((each) => [each.user_id, each.tenant_id]))
    const begun = [...open].filter(([userId]) => !erasing.has(userId))
    const ended = [...erasing].filter(([userId]) => !open.has(userId))
    for (const tenantId of new Set([...begun, ...ended].map(([, id]) => id))) await engine.drop(tenantId)
    erasing = open
  }

  const keep = async (now: number = Date.now()): Promise<void> => {
    await giveBackMemory(now)
    await forgetErased()
    await removeDueTenants(database, { now, signal })
    await countDueUsage(database, { now, signal })
    if (!signal.aborted) await settlePauses(database, now)
    // This comes last, since it may wait for locks of searches, and fail.
    if (!signal.aborted) await replicas.look()
  }

  const timer = setInterval(() => (running = running.then(() => keep()).catch(onError)), intervalMs)
  timer.unref()
  return {
    keep,
    close: () => {
      closing.abort()
      clearInterval(timer)
      return running
    },
  }
}
