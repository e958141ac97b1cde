import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { ERASED_DOMAIN } from './email.ts'
import * as store from './store.ts'

const PSEUDONYM_CHARACTERS = 8

/**
 * Changes the details that users set themselves, and records the change. Absent fields stay.
 * @returns the user after the change
 */
export async function changeDetails(
  tx: Tx,
  user: UserRow,
  { name = user.name, language = user.language }: Partial<Pick<UserRow, 'name' | 'language'>>,
  actor: Actor,
): Promise<UserRow> {
  const { tenant_id: tenantId, id } = user
  await store.updateUser(tx, tenantId, id, { name, language })
  await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'user', resourceId: id }])
  return { ...user, name, language }
}

/** Fields of a user's access, and the name, which an administrator may change with them. */
type AccessChange = Partial<Pick<UserRow, 'name' | 'role' | 'ceiling' | 'disabled_at'>>

/** Changes a user's access from the next request on. The caller ends links and sessions, and records the change. */
export async function changeAccess(
  tx: Tx,
  { tenant_id: tenantId, id }: Pick<UserRow, 'tenant_id' | 'id'>,
  change: AccessChange,
): Promise<void> {
  await store.updateUser(tx, tenantId, id, change)
}

/**
 * Replaces a person's name and address by a pseudonym, and disables the user. The row stays, since the audit log and
 * entries name its id.
 * @param now milliseconds since 1970
 */
export async function pseudonymise(tx: Tx, user: UserRow, now: number): Promise<void> {
  const { tenant_id: tenantId, id } = user
  await store.updateUser(tx, tenantId, id, {
    name: `former user ${id.slice(-PSEUDONYM_CHARACTERS)}`,
    email: `former-user-${id}${ERASED_DOMAIN}`,
    language: null,
    disabled_at: user.disabled_at ?? now,
    erased_at: now,
  })
}
