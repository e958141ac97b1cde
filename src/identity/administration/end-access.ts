import { type Actor, OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { conflict, type Fault, notFound } from '../../platform/faults.ts'
import * as apiKeys from '../api-keys/rules.ts'
import { endGrantsOf } from '../oauth/authorize/grants.ts'
import { deleteTokensOfKey } from '../oauth/rules.ts'
import { deleteSessionsOf } from '../sessions/rules.ts'
import * as tenantStore from '../tenants/rules.ts'
import { requireRole, requireUser } from '../users/rules.ts'
import * as userStore from '../users/rules.ts'

/**
 * Changes a user's role, or disables or enables the user with all their keys. Takes effect on their next request.
 * @throws Fault conflict, naming the field, when the tenant would be left without an active administrator
 */
export async function changeUser(
  database: Database,
  tenantId: string,
  idOrEmail: string,
  change: { role?: string; disabled?: boolean },
  actor: Actor = OPERATOR,
): Promise<void> {
  await database.write(async (tx) => {
    // The lock orders two administrators who disable each other at the same moment; the second is refused.
    await tenantStore.lockTenant(tx, tenantId)
    const row = await requireUser(tx, tenantId, idOrEmail)
    const role = change.role === undefined ? row.role : requireRole(change.role)
    const disabledAt = change.disabled === undefined ? row.disabled_at : change.disabled ? Date.now() : null
    if (isAdministrator(row) && !isAdministrator({ role, disabled_at: disabledAt })) {
      const field = role === 'admin' ? 'disabled' : 'role'
      if (!(await userStore.hasOtherAdministrator(tx, tenantId, row.id))) throw lastAdministrator(field)
    }
    // A ceiling comes from groups of an outside provider, with the role that this one replaces.
    const ceiling = role === row.role ? row.ceiling : null
    await userStore.updateUser(tx, tenantId, row.id, { role, ceiling, disabled_at: disabledAt })
    // A user who is enabled later has to sign in and connect assistants again.
    if (change.disabled === true) {
      await deleteSessionsOf(tx, tenantId, row.id)
      await endGrantsOf(tx, tenantId, { userId: row.id }, actor)
    }
    await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'user', resourceId: row.id }])
  }, tenantId)
}

function isAdministrator({ role, disabled_at: at }: Pick<UserRow, 'role' | 'disabled_at'>): boolean {
  return role === 'admin' && at === null
}

function lastAdministrator(field: 'role' | 'disabled'): Fault {
  return conflict(
    [field],
    'This is the last active administrator of the tenant. Make somebody else an administrator first',
  )
}

/**
 * Revokes a key, and the own tokens that clients got with it. Takes effect on their next request.
 * @throws Fault when the key does not exist or is revoked already
 */
export async function revokeApiKey(
  database: Database,
  tenantId: string,
  id: string,
  actor: Actor = OPERATOR,
): Promise<void> {
  await database.write(async (tx) => {
    if (!(await apiKeys.revokeApiKey(tx, tenantId, id, Date.now()))) throw notFound(['key'], `Key ${id}`)
    await deleteTokensOfKey(tx, tenantId, id)
    await recordAudit(tx, tenantId, actor, [{ action: 'revoke', resourceType: 'api_key', resourceId: id }])
  }, tenantId)
}

/**
 * Revokes a key and all keys that it issued, directly or through others. The key itself may be revoked already. Takes
 * effect like `revokeApiKey`.
 * @returns how many keys this revoked
 * @throws Fault when the key does not exist
 */
export async function revokeWithIssued(
  database: Database,
  tenantId: string,
  id: string,
  actor: Actor = OPERATOR,
): Promise<number> {
  return database.write(async (tx) => {
    if ((await apiKeys.findApiKey(tx, tenantId, id)) === null) throw notFound(['key'], `Key ${id}`)
    const now = Date.now()
    const revoked: string[] = []
    // Revoke a level before reading the next: a key that is being issued now is then either found or refused.
    for (let level = [id]; level.length > 0; level = await apiKeys.keysIssuedBy(tx, tenantId, level)) {
      for (const each of level) {
        if (!(await apiKeys.revokeApiKey(tx, tenantId, each, now))) continue
        await deleteTokensOfKey(tx, tenantId, each)
        revoked.push(each)
      }
    }
    const events = revoked.map((each) => ({ action: 'revoke', resourceType: 'api_key', resourceId: each }) as const)
    await recordAudit(tx, tenantId, actor, events)
    return revoked.length
  }, tenantId)
}
