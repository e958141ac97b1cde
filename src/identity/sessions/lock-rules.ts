import type { Caller } from '../../platform/access/caller.ts'
import { withLowerCeilings } from '../../platform/access/scopes.ts'
import { scopesOfCredentials } from '../../platform/access/user-scopes.ts'
import type { Tx } from '../../platform/database/database.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { findUser } from '../users/rules.ts'
import * as store from './store.ts'

/**
 * Locks a user until the transaction ends, so that changes of the user's access happen in turn.
 * @returns whether the user exists and is not disabled
 */
export function lockUser(tx: Tx, tenantId: string, userId: string): Promise<boolean> {
  return store.lockUser(tx, tenantId, userId)
}

/**
 * Locks a user like `lockUser`.
 * @returns the user, also a disabled one, who stays unchanged until the transaction ends; null when there is none
 */
export async function lockedUser(tx: Tx, tenantId: string, userId: string): Promise<UserRow | null> {
  await store.lockUser(tx, tenantId, userId)
  return findUser(tx, tenantId, userId)
}

/** Locks a user like `lockUser`. @returns the user; null for a disabled user, and when there is none */
export async function lockedActiveUser(tx: Tx, tenantId: string, userId: string): Promise<UserRow | null> {
  return (await store.lockUser(tx, tenantId, userId)) ? findUser(tx, tenantId, userId) : null
}

/**
 * Locks a caller's user like `lockUser`.
 * @returns whether the user is active and still has every scope that the caller asked with; true for no user
 */
export async function holdsStill(
  tx: Tx,
  { tenant, userId, scopes }: Pick<Caller, 'tenant' | 'userId' | 'scopes'>,
): Promise<boolean> {
  if (userId === null) return true
  const user = await lockedActiveUser(tx, tenant.id, userId)
  const may = user === null ? null : withLowerCeilings(scopesOfCredentials(user))
  return may !== null && [...scopes].every((scope) => may.has(scope))
}
