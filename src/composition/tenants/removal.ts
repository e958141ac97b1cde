import { setTimeout as sleep } from 'node:timers/promises'
import { recordOperation } from '../../identity/operators/operator-log.ts'
import { beginRemoval } from '../../identity/operators/tenant-life.ts'
import { lockTenant } from '../../identity/tenants/rules.ts'
import { SERVICE } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { deleteSome, deleteTenant, dueTenants, TENANT_TABLES } from './removal-store.ts'

interface RemovalOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly signal?: AbortSignal
}

/**
 * Removes the tenants whose grace period is over, with everything they have. The work is cut into small transactions
 * with pauses as long as they took, so that others have at least half of the writer's time. What a stop or a crash
 * leaves over, the next call or another process removes.
 * @returns ids of the tenants that are gone now
 */
export async function removeDueTenants(database: Database, options: RemovalOptions): Promise<string[]> {
  const removed: string[] = []
  for (const tenantId of await dueTenants(database.queries, options.now)) {
    if (options.signal?.aborted) break
    if (await removeTenant(database, tenantId, options)) removed.push(tenantId)
  }
  return removed
}

async function removeTenant(database: Database, tenantId: string, { now, signal }: RemovalOptions): Promise<boolean> {
  if (!(await beginRemoval(database, tenantId, now))) return false
  for (;;) {
    for (const each of TENANT_TABLES) {
      let deleted = each.rows
      while (deleted === each.rows) {
        if (signal?.aborted) return false
        const began = performance.now()
        deleted = await database.write((tx) => deleteSome(tx, each, tenantId), tenantId)
        await sleep(performance.now() - began)
      }
    }
    const outcome = await finish(database, tenantId, now)
    if (outcome !== 'more') return outcome === 'removed'
  }
}

/**
 * Deletes the tenant itself with what a request that was still running wrote meanwhile.
 * @returns more: so much was written that it takes slices again
 */
async function finish(database: Database, tenantId: string, now: number): Promise<'removed' | 'gone' | 'more'> {
  return database.write(async (tx) => {
    await lockTenant(tx, tenantId)
    for (const each of TENANT_TABLES) if ((await deleteSome(tx, each, tenantId)) > 0) return 'more'
    if (!(await deleteTenant(tx, tenantId, now))) return 'gone'
    await recordOperation(tx, SERVICE, 'remove', 'tenant', tenantId)
    return 'removed'
  }, tenantId)
}
