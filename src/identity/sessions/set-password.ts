import { type Actor, OPERATOR, recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { invalid } from '../../platform/faults.ts'
import { hashPassword, PASSWORD_COST, type PasswordCost } from './password-hash.ts'
import { isCommonPassword } from '../../platform/access/common-password-list.ts'
import { isPasswordLength, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../platform/access/password-length.ts'
import * as store from './store.ts'

/**
 * Requires a password that may be chosen.
 * @throws Fault invalid when it is too short or too long; of type password_common when it is one of the most used ones
 */
export function requireGoodPassword(password: string, loc: readonly string[] = ['password']): void {
  if (!isPasswordLength(password)) {
    const msg = `A password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`
    throw invalid(loc, 'value_error', msg)
  }
  if (isCommonPassword(password))
    throw invalid(loc, 'password_common', 'This is one of the most used passwords; choose another one')
}

/** Returns a user's password as it is stored, and when it was set in milliseconds since 1970; null without one. */
export function passwordOf(
  db: Queries,
  tenantId: string,
  userId: string,
): Promise<{ readonly hash: string; readonly changedAt: number } | null> {
  return store.passwordOf(db, tenantId, userId)
}

/** Tells whether a user can sign in by a password. */
export async function hasPassword(db: Queries, tenantId: string, userId: string): Promise<boolean> {
  return (await store.passwordOf(db, tenantId, userId)) !== null
}

/** Hashes a new password. @throws Fault like `requireGoodPassword` */
export async function hashNewPassword(password: string, cost: PasswordCost = PASSWORD_COST): Promise<string> {
  requireGoodPassword(password)
  return hashPassword(password, cost)
}

/**
 * Sets a user's password and signs the user out everywhere.
 * @throws Fault like `requireGoodPassword`
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

/**
 * Sets a password like `setPassword`, within a transaction.
 * @param hash as `hashNewPassword` returns it
 * @param keptSessionId a session of the user that does not end
 */
export async function putPassword(
  tx: Tx,
  tenantId: string,
  userId: string,
  hash: string,
  actor: Actor,
  keptSessionId: string | null = null,
): Promise<void> {
  await store.lockUser(tx, tenantId, userId)
  const before = await store.passwordChangedAt(tx, tenantId, userId)
  // Never the same time twice: a sign-in compares it to see whether the password changed meanwhile.
  const changedAt = Math.max(Date.now(), (before ?? 0) + 1)
  await store.putPassword(tx, tenantId, userId, hash, changedAt)
  if (keptSessionId === null) await store.deleteSessionsOf(tx, tenantId, userId)
  else await store.deleteOtherSessions(tx, tenantId, userId, keptSessionId)
  await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'user_password', resourceId: userId }])
}
