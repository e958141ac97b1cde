import { setTimeout as sleep } from 'node:timers/promises'
import { recordOperation } from '../../identity/operators/operator-log.ts'
import { beginRemoval, suspendAndPlanRemoval } from '../../identity/operators/tenant-life.ts'
import { lockTenant } from '../../identity/tenants/lock-rules.ts'
import { findTenant, requireTenant } from '../../identity/tenants/rules.ts'
import { type Actor, SERVICE } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { deleteSome, deleteTenant, dueTenants, TENANT_TABLES } from './removal-store.ts'

interface RemovalOptions {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly signal?: AbortSignal
  /** Called after each step with the number of rows that it deleted. */
  readonly onDeleted?: (rows: number) => void
}

/**
 * Removes the tenants whose grace period is over, with everything they have. It works in small transactions, each with
 * a pause as long as it took, so that other writers have at least half of the time. After a stop or a crash the next
 * call, or another process, removes the rest.
 * @returns ids of the tenants that this call removed
 */
export async function removeDueTenants(database: Database, options: RemovalOptions): Promise<string[]> {
  const removed: string[] = []
  for (const tenantId of await dueTenants(database.queries, options.now)) {
    if (options.signal?.aborted) break
    if (await removeTenant(database, tenantId, options)) removed.push(tenantId)
  }
  return removed
}

/**
 * Removes a tenant without a grace period: suspends it, so that no process serves it any more, and deletes everything
 * it has in small steps. A call after a stop goes on from there.
 * @returns whether the tenant is gone; false when the signal ended the work
 * @throws Fault not_found; conflict for the last tenant
 */
export async function removeTenantNow(
  database: Database,
  tenantId: string,
  actor: Actor,
  options: Omit<RemovalOptions, 'now'>,
): Promise<boolean> {
  const { removing_at: began } = await requireTenant(database.queries, tenantId)
  if (began === null) await suspendAndPlanRemoval(database, tenantId, 0, actor)
  await removeTenant(database, tenantId, { ...options, now: Date.now() })
  // A running service may have removed the tenant first.
  return (await findTenant(database.queries, tenantId)) === null
}

async function removeTenant(
  database: Database,
  tenantId: string,
  { now, signal, onDeleted = () => undefined }: RemovalOptions,
): Promise<boolean> {
  if (!(await beginRemoval(database, tenantId, now))) return false
  for (;;) {
    for (const each of TENANT_TABLES) {
      let deleted = each.rows
      while (deleted === each.rows) {
        if (signal?.aborted) return false
        const began = performance.now()
        deleted = await database.write((tx) => deleteSome(tx, each, tenantId), tenantId)
        onDeleted(deleted)
        await sleep(performance.now() - began)
      }
    }
    const outcome = await finish(database, tenantId, now)
    if (outcome !== 'more') return outcome === 'removed'
  }
}

/**
 * Deletes the row of the tenant, and rows that a request which was still running wrote meanwhile.
 * @returns more: there were such rows, and the tables need another round
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
