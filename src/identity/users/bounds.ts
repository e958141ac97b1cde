import type { Caller } from '../../platform/access/caller.ts'
import { covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { forbidden } from '../../platform/faults.ts'

/** @throws Fault forbidden, at the role, when the role and ceiling allow more than the caller may do */
export function requireGivable({ scopes }: Caller, given: Pick<UserRow, 'role' | 'ceiling'>): void {
  if (!covers(scopes, given)) throw forbidden(['body', 'role'], 'This role and ceiling allow more than you may do')
}

/**
 * Nobody acts on a user who may do more than they: who resets a password could become that user.
 * @param place of the request that names the user
 * @throws Fault forbidden
 */
export function requireManageable(
  { scopes }: Caller,
  user: UserRow,
  place: readonly string[] = ['path', 'user_id'],
): void {
  if (!covers(scopes, user)) throw forbidden(place, 'This user may do more than you')
}

/** What a user is who may do everything in a tenant. */
export const FULL_ADMINISTRATOR = { role: 'admin', ceiling: null } as const

/** Whether a user is active and may do everything: whoever has a lower ceiling could not raise it again. */
export function isAdministrator({ role, ceiling, disabled_at: at }: Pick<UserRow, 'role' | 'ceiling' | 'disabled_at'>) {
  return role === 'admin' && at === null && covers(new Set(scopesOfUser({ role, ceiling })), FULL_ADMINISTRATOR)
}
