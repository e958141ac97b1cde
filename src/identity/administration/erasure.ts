import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { endGrantsOf } from '../oauth/authorize/grants.ts'
import { forgetResets } from '../password-resets/rules.ts'
import { deleteSessionsOf, forgetSignIn } from '../sessions/rules.ts'
import { lockTenant } from '../tenants/rules.ts'
import { ERASED_DOMAIN } from '../users/email.ts'
import { requireUser, updateUser } from '../users/rules.ts'
import { requireOtherAdministrator, revokeKeysOf } from './end-access.ts'
import { type Erasure, insertErasure } from './erasure-store.ts'

export { deleteErasure, type Erasure, openErasures } from './erasure-store.ts'

const PSEUDONYM_CHARACTERS = 8

/**
 * Begins to erase a person, within a transaction: ends everything that they could sign in or ask with, and replaces
 * their name and address. The row stays, since the audit log and entries name its id.
 * @param mayErase @throws Fault when the actor may not
 * @returns the erasure, whose notes are still to be deleted
 * @throws Fault not_found; conflict for the last active administrator
 */
export async function beginErasure(
  tx: Tx,
  tenantId: string,
  idOrEmail: string,
  actor: Actor,
  mayErase: (row: UserRow) => void,
): Promise<Erasure> {
  await lockTenant(tx, tenantId)
  const row = await requireUser(tx, tenantId, idOrEmail)
  mayErase(row)
  await requireOtherAdministrator(tx, row, null)
  const now = Date.now()
  await updateUser(tx, tenantId, row.id, {
    name: `former user ${row.id.slice(-PSEUDONYM_CHARACTERS)}`,
    email: `former-user-${row.id}${ERASED_DOMAIN}`,
    language: null,
    disabled_at: row.disabled_at ?? now,
    erased_at: now,
  })
  await deleteSessionsOf(tx, tenantId, row.id)
  await endGrantsOf(tx, tenantId, { userId: row.id }, actor)
  await revokeKeysOf(tx, tenantId, { userId: row.id }, actor)
  await forgetSignIn(tx, tenantId, row.id)
  await forgetResets(tx, tenantId, row.id)
  const erasure = { tenant_id: tenantId, user_id: row.id, begun_at: now }
  await insertErasure(tx, erasure)
  await recordAudit(tx, tenantId, actor, [{ action: 'erase', resourceType: 'user', resourceId: row.id }])
  return erasure
}
