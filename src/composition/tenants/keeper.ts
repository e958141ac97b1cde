import { suspendedTenants } from '../../identity/tenants/rules.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SearchEngine } from '../../search/engine.ts'
import { removeDueTenants } from './removal.ts'
import { removedSince } from './removal-store.ts'
import { countDueUsage } from './usage.ts'

const INTERVAL_MS = 10_000

export interface TenantKeeper {
  /** Does what is due now. */
  keep(now?: number): Promise<void>
  /** Resolves when running work has ended; it ends before its next write. */
  close(): Promise<void>
}

/**
 * Looks after tenants in the background: gives back the search memory of suspended ones, removes those whose time has
 * come, and counts what each has.
 */
export function startTenantKeeper(
  database: Database,
  engine: Pick<SearchEngine, 'drop'>,
  onError: (error: unknown) => void,
  intervalMs: number = INTERVAL_MS,
): TenantKeeper {
  const closing = new AbortController()
  const { signal } = closing
  const dropped = new Set<string>()
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

  const keep = async (now: number = Date.now()): Promise<void> => {
    await giveBackMemory(now)
    await removeDueTenants(database, { now, signal })
    await countDueUsage(database, { now, signal })
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
