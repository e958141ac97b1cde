import { type Actor, OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { invalid } from '../../platform/faults.ts'
import { hashPassword } from './password-hash.ts'
import { isPasswordLength, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../platform/access/password-length.ts'
import * as store from './store.ts'

/** @throws Fault when the password is too short or too long */
export async function hashNewPassword(password: string): Promise<string> {
  if (!isPasswordLength(password)) {
    const msg = `A password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`
    throw invalid(['password'], 'value_error', msg)
  }
  return hashPassword(password)
}

/**
 * Sets a user's password and signs the user out everywhere.
 * @throws Fault when the password is too short or too long
 */
export async function setPassword(
  database: Database,
  tenantId: string,
  userId: string,
  password: string,
  actor: Actor = OPERATOR,
): Promise<void> {
  const hash = await hashNewPassword(password)
  await database.write((tx) => putPassword(tx, tenantId, userId, hash, actor), tenantId)
}

/** `setPassword` within a transaction, with a hash of `hashNewPassword`. */
export async function putPassword(tx: Tx, tenantId: string, userId: string, hash: string, actor: Actor): Promise<void> {
  await store.lockUser(tx, tenantId, userId)
  const before = await store.passwordChangedAt(tx, tenantId, userId)
  // Never the same time twice: a sign-in compares it to see whether the password changed meanwhile.
  const changedAt = Math.max(Date.now(), (before ?? 0) + 1)
  await store.putPassword(tx, tenantId, userId, hash, changedAt)
  await store.deleteSessionsOf(tx, tenantId, userId)
  await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'user_password', resourceId: userId }])
}
