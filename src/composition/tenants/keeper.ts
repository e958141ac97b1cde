import { openErasures } from '../../identity/administration/erasure.ts'
import { settlePauses } from '../../identity/quotas/rules.ts'
import { suspendedTenants } from '../../identity/tenants/list-rules.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SearchEngine } from '../../search/engine.ts'
import type { ReplicaUse } from '../../search/engines/replica-use.ts'
import { removeDueTenants } from './removal.ts'
import { removedSince } from './removal-store.ts'
import { ReplicaKeeper } from './replica-keeper.ts'
import { countDueUsage } from './usage.ts'

const INTERVAL_MS = 10_000

export interface TenantKeeper {
  /** Does what is due now. */
  keep(now?: number): Promise<void>
  /** Resolves when running work has ended; it ends before its next write. */
  close(): Promise<void>
}

/**
 * Looks after tenants in the background: gives back the search memory of suspended ones, drops the indexes of those that
 * erase somebody, gives back what those that changed their search engine no longer need, removes those whose time has
 * come, counts what each has, and pauses the embedding of those that have used up theirs.
 * @param replicaUse what searches of this process have made of replicas
 */
export function startTenantKeeper(
  database: Database,
  engine: Pick<SearchEngine, 'drop'>,
  onError: (error: unknown) => void,
  replicaUse: ReplicaUse,
  intervalMs: number = INTERVAL_MS,
): TenantKeeper {
  const closing = new AbortController()
  const { signal } = closing
  const dropped = new Set<string>()
  const replicas = new ReplicaKeeper(database, engine, replicaUse)
  /** Tenants of the erasures that are not complete, by user: the last requests may still store a note. */
  let erasing = new Map<string, string>()
  let lookedAt = Date.now()
  let running: Promise<void> = Promise.resolve()

  /** Also of tenants that were removed by another process before this one saw them suspended. */
  const giveBackMemory = async (now: number): Promise<void> => {
    const suspended = await suspendedTenants(database.queries)
    // A minute more, since the clocks of two processes may differ.
    const gone = await removedSince(database.queries, lookedAt - 60_000)
    lookedAt = now
    for (const tenantId of [...suspended, ...gone]) {
      if (dropped.has(tenantId)) continue
      await engine.drop(tenantId)
      dropped.add(tenantId)
    }
    const still = new Set([...suspended, ...gone])
    for (const tenantId of dropped) if (!still.has(tenantId)) dropped.delete(tenantId)
  }

  /** Indexes and their snapshots know words of deleted notes until they are built anew. */
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
    // The last, since it may wait for locks of searches, and fail.
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
