import { type Actor, recordAudit, SERVICE } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { conflict } from '../../platform/faults.ts'
import { lockTenant, lockTenants } from '../tenants/lock-rules.ts'
import { changeState, findTenant, isLastTenant, requireTenant } from '../tenants/rules.ts'
import { recordOperation } from './operator-log.ts'

const DAY_MS = 86_400_000
/** Most days between the plan of a removal and its beginning. */
export const GRACE_DAYS_MAX = 365

/**
 * Suspends a tenant: from now on every request of the tenant is refused, and background work passes over it. No
 * data is lost.
 * @returns the tenant; suspending a suspended one changes nothing
 * @throws Fault not_found
 */
export function suspendTenant(database: Database, tenantId: string, actor: Actor): Promise<TenantRow> {
  return change(database, tenantId, actor, 'suspend', async ({ suspended_at: since }) =>
    since === null ? { suspended_at: Date.now() } : null,
  )
}

/**
 * Resumes a suspended tenant.
 * @returns the tenant; resuming one that is not suspended changes nothing
 * @throws Fault not_found; conflict while the tenant is to be removed
 */
export function resumeTenant(database: Database, tenantId: string, actor: Actor): Promise<TenantRow> {
  return change(database, tenantId, actor, 'resume', async ({ suspended_at: since, remove_at: at }) => {
    if (at !== null) throw conflict(['path', 'tenant_id'], 'The tenant is to be removed; cancel that first')
    return since === null ? null : { suspended_at: null }
  })
}

/**
 * Plans the removal of a suspended tenant with all its data.
 * @param graceDays days until the removal begins, in which it can be cancelled
 * @returns the tenant; a planned removal moves to the new time
 * @throws Fault not_found; conflict when the tenant works, is the last one, or is being removed
 */
export function planRemoval(database: Database, tenantId: string, graceDays: number, actor: Actor): Promise<TenantRow> {
  return change(database, tenantId, actor, 'plan_removal', async (row, tx) => {
    if (row.suspended_at === null) throw conflict(['path', 'tenant_id'], 'Suspend the tenant first')
    return removalOf(tx, row, graceDays)
  })
}

/**
 * Suspends a tenant and plans its removal at once.
 * @throws Fault like `planRemoval`; the tenant then goes on working
 */
export function suspendAndPlanRemoval(
  database: Database,
  tenantId: string,
  graceDays: number,
  actor: Actor,
): Promise<TenantRow> {
  return change(database, tenantId, actor, 'plan_removal', async (row, tx) => {
    const removal = await removalOf(tx, row, graceDays)
    if (row.suspended_at !== null) return removal
    await recordOperation(tx, actor, 'suspend', 'tenant', tenantId)
    return { ...removal, suspended_at: Date.now() }
  })
}

async function removalOf(tx: Tx, { tenant_id: id, removing_at: began }: TenantRow, graceDays: number): Promise<Change> {
  if (began !== null) throw conflict(['path', 'tenant_id'], 'The tenant is being removed')
  // The service needs a tenant, and would create one at its next start.
  if (await isLastTenant(tx, id)) throw conflict(['path', 'tenant_id'], 'The last tenant stays')
  return { remove_at: Date.now() + graceDays * DAY_MS }
}

/**
 * Cancels a planned removal; the tenant stays suspended.
 * @throws Fault not_found; conflict when the removal has begun
 */
export function cancelRemoval(database: Database, tenantId: string, actor: Actor): Promise<TenantRow> {
  return change(database, tenantId, actor, 'cancel_removal', async (row) => {
    if (row.removing_at !== null)
      throw conflict(['path', 'tenant_id'], 'The removal has begun and cannot be cancelled any more')
    return row.remove_at === null ? null : { remove_at: null }
  })
}

/**
 * Begins the removal of a tenant whose removal is due. A removal that has begun cannot be cancelled.
 * @param now milliseconds since 1970
 * @returns whether the tenant is to be removed now, also when the removal began earlier
 */
export async function beginRemoval(database: Database, tenantId: string, now: number): Promise<boolean> {
  return database.write(async (tx) => {
    await lockTenant(tx, tenantId)
    const row = await findTenant(tx, tenantId)
    if (row === null) return false
    if (row.removing_at !== null) return true
    if (row.suspended_at === null || row.remove_at === null || row.remove_at > now) return false
    await changeState(tx, tenantId, { removing_at: now })
    await recordAudit(tx, tenantId, SERVICE, [{ action: 'delete', resourceType: 'tenant', resourceId: tenantId }])
    return true
  }, tenantId)
}

type Change = Partial<Pick<TenantRow, 'suspended_at' | 'remove_at'>>

/** Changes the state of a tenant, and records it. @param changeOf the change; null for none, which leaves no record */
async function change(
  database: Database,
  tenantId: string,
  actor: Actor,
  action: 'suspend' | 'resume' | 'plan_removal' | 'cancel_removal',
  changeOf: (row: TenantRow, tx: Tx) => Promise<Change | null>,
): Promise<TenantRow> {
  return database.write(async (tx) => {
    // Two removals of the last two tenants must see each other. Every other change waits for its own tenant alone.
    if (action === 'plan_removal') await lockTenants(tx, database)
    else await lockTenant(tx, tenantId)
    const row = await requireTenant(tx, tenantId)
    const patch = await changeOf(row, tx)
    if (patch === null) return row
    await changeState(tx, tenantId, patch)
    await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'tenant', resourceId: tenantId }])
    await recordOperation(tx, actor, action, 'tenant', tenantId)
    return { ...row, ...patch }
  }, tenantId)
}
