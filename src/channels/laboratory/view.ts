import type { Caller } from '../../platform/access/caller.ts'
import { intersectScopes, type Role, ROLE_SCOPES, withLowerCeilings } from '../../platform/access/scopes.ts'
import { ceilingOf, levelsUpTo, type OrderedVisibility } from '../../platform/access/visibility.ts'
import { invalid } from '../../platform/faults.ts'

/** The role and ceiling with which a caller wants to search; null or absent for the caller's own. */
export interface View {
  readonly role?: Role | null
  readonly ceiling?: OrderedVisibility | null
}

/** Tells whether a view is another one than the caller's own. */
export function isOtherView({ role = null, ceiling = null }: View): boolean {
  return role !== null || ceiling !== null
}

/**
 * Returns the caller with another role or a lower ceiling: never with more rights than the caller has, and without
 * private notes. The workspaces stay the caller's own.
 * @throws Fault invalid at `ceiling` when it is above the caller's own
 */
export function viewerOf(caller: Caller, { role = null, ceiling = null }: View): Caller {
  if (role === null && ceiling === null) return caller
  if (ceiling !== null && !levelsUpTo(caller.ceiling).includes(ceiling)) {
    throw invalid(['body', 'ceiling'], 'above_own_ceiling', 'Ceiling should not be above your own')
  }
  const asRole = role === null ? caller.scopes : intersectScopes(caller.scopes, ROLE_SCOPES[role])
  const scopes = new Set([...asRole].filter((scope) => scope !== 'knowledge:personal'))
  const highest = ceilingOf(withLowerCeilings(scopes))
  const lower = ceiling !== null && levelsUpTo(highest).includes(ceiling) ? ceiling : highest
  return { ...caller, scopes, ceiling: lower, userId: null }
}
