import type { Caller } from '../../platform/access/caller.ts'
import { covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { forbidden } from '../../platform/faults.ts'

/** Refuses to give a role and ceiling that allow more than the caller may do. @throws Fault forbidden, at the role */
export function requireGivable({ scopes }: Caller, access: Pick<UserRow, 'role' | 'ceiling'>): void {
  if (!covers(scopes, access)) throw forbidden(['body', 'role'], 'This role and ceiling allow more than you may do')
}

/**
 * Refuses to act on a user who may do more than the caller. A caller who resets a password, for one, could become that
 * user.
 * @param place in the request that names the user
 * @throws Fault forbidden
 */
export function requireManageable(
  { scopes }: Caller,
  user: UserRow,
  place: readonly string[] = ['path', 'user_id'],
): void {
  if (!covers(scopes, user)) throw forbidden(place, 'This user may do more than you')
}

/** Role and ceiling of a user who may do everything in a tenant. */
export const FULL_ADMINISTRATOR = { role: 'admin', ceiling: null } as const

/**
 * Tells whether a user is active and may do everything in a tenant. An administrator with a lower ceiling does not
 * count, because such a one could not raise it again.
 */
export function isAdministrator({ role, ceiling, disabled_at: at }: Pick<UserRow, 'role' | 'ceiling' | 'disabled_at'>) {
  return role === 'admin' && at === null && covers(new Set(scopesOfUser({ role, ceiling })), FULL_ADMINISTRATOR)
}
