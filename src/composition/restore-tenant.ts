import { OPERATOR, recordAudit } from '../platform/audit/audit.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { isDeepStrictEqual } from 'node:util'
import { findCollection } from '../knowledge/collections/rules.ts'
import { conflict, referenceNotFound } from '../platform/faults.ts'
import { addMembers } from '../knowledge/workspaces/rules.ts'
import { addTenantWithSite } from './new-tenant.ts'
import * as tenantStore from '../identity/tenants/rules.ts'
import * as userStore from '../identity/users/rules.ts'

/**
 * Creates the tenant that an export is restored into, unless it exists. A tenant without settings of its own takes over
 * the settings of the export.
 * @param settings JSON, as stored
 * @returns settingsKept: the tenant's own settings, which stay; null when it now has those of the export
 */
export async function restoreTenant(
  database: Database,
  tenantId: string,
  name: string,
  settings: string,
): Promise<{ status: 'created' | 'unchanged'; settingsKept: string | null }> {
  return database.write(async (tx) => {
    await tenantStore.lockTenants(tx, database.portable.name)
    const known = await tenantStore.findTenant(tx, tenantId)
    if (known === null) await addTenantWithSite(tx, { id: tenantId, name, host: null }, OPERATOR)
    const status = known === null ? 'created' : 'unchanged'
    if (known !== null && known.settings !== '{}') return { status, settingsKept: known.settings }
    if (settings !== '{}') {
      await tenantStore.updateTenant(tx, tenantId, { settings })
      await recordAudit(tx, tenantId, OPERATOR, [{ action: 'update', resourceType: 'tenant', resourceId: tenantId }])
    }
    return { status, settingsKept: null }
  })
}

/** A user in an export; times are in RFC 3339. */
export interface RestoredUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly ceiling?: string
  readonly disabled_at: string | null
  readonly created_at: string
  readonly workspaces: readonly string[]
}

/**
 * Restores a user with their memberships. An existing user with the same email address is not changed, but gets the
 * memberships.
 * @returns the id of the user in this database
 * @throws Fault when the id belongs to another user, or a workspace does not exist
 */
export async function restoreUser(
  tx: Tx,
  tenantId: string,
  user: RestoredUser,
): Promise<{ status: 'created' | 'unchanged'; id: string }> {
  for (const workspaceId of user.workspaces) {
    if ((await findCollection(tx, 'workspaces', tenantId, workspaceId)) === null)
      throw referenceNotFound(['body', 'workspaces'], 'Workspace')
  }
  const row: UserRow = {
    tenant_id: tenantId,
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    ceiling: user.ceiling ?? null,
    disabled_at: user.disabled_at === null ? null : Date.parse(user.disabled_at),
    created_at: Date.parse(user.created_at),
  }
  const known = (await userStore.findUser(tx, tenantId, row.id)) ?? (await userStore.findUser(tx, tenantId, row.email))
  if (known?.id === row.id && !isDeepStrictEqual({ ...known }, row))
    throw conflict(['body', 'id'], 'Another user with this id exists, and was not changed')
  if (known === null) {
    await userStore.insertUser(tx, row)
    await recordAudit(tx, tenantId, OPERATOR, [{ action: 'create', resourceType: 'user', resourceId: row.id }])
  }
  const id = known?.id ?? row.id
  for (const workspaceId of user.workspaces) await addMembers(tx, tenantId, workspaceId, [id])
  return { status: known === null ? 'created' : 'unchanged', id }
}
