import { OPERATOR } from '../platform/audit/audit.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import type { UserRow } from '../platform/database/tables.ts'
import { requireWorkspace } from '../knowledge/collections/rules.ts'
import { joinWorkspaces } from '../knowledge/workspaces/member-rules.ts'
import { addTenantWithSite } from './new-tenant.ts'
import { lockTenants } from '../identity/tenants/lock-rules.ts'
import { restoreSettings } from '../identity/tenants/restore.ts'
import { findTenant } from '../identity/tenants/rules.ts'
import { restoreUserRow } from '../identity/users/restore.ts'

/**
 * Creates the tenant that an export is restored into, unless it exists. A tenant without settings of its own takes over
 * the settings of the export.
 * @param settings JSON, as stored
 * @returns settingsKept: the tenant's own settings, which stay; null when the tenant now has those of the export
 */
export async function restoreTenant(
  database: Database,
  tenantId: string,
  name: string,
  settings: string,
): Promise<{ status: 'created' | 'unchanged'; settingsKept: string | null }> {
  return database.write(async (tx) => {
    await lockTenants(tx, database)
    const present = await findTenant(tx, tenantId)
    if (present === null) await addTenantWithSite(tx, { id: tenantId, name, host: null }, OPERATOR)
    // A new tenant has set nothing.
    const settingsKept = await restoreSettings(tx, tenantId, { own: present?.settings ?? '{}', exported: settings })
    return { status: present === null ? 'created' : 'unchanged', settingsKept }
  })
}

/** A user in an export; times are in RFC 3339. */
export interface RestoredUser {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly role: string
  readonly ceiling?: string
  readonly language?: string
  readonly erased_at?: string
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
  for (const id of user.workspaces) await requireWorkspace(tx, tenantId, id, ['body', 'workspaces'])
  const row: UserRow = {
    tenant_id: tenantId,
    id: user.id,
    email: user.email,
    name: user.name,
    role: user.role,
    ceiling: user.ceiling ?? null,
    language: user.language ?? null,
    erased_at: user.erased_at === undefined ? null : Date.parse(user.erased_at),
    disabled_at: user.disabled_at === null ? null : Date.parse(user.disabled_at),
    created_at: Date.parse(user.created_at),
  }
  const restored = await restoreUserRow(tx, row)
  await joinWorkspaces(tx, tenantId, restored.id, user.workspaces)
  return restored
}
