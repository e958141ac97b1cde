import type { Caller } from '../../platform/access/caller.ts'
import { intersectScopes, type Role, ROLE_SCOPES, withLowerCeilings } from '../../platform/access/scopes.ts'
import { ceilingOf, levelsUpTo, type OrderedVisibility } from '../../platform/access/visibility.ts'
import { invalid } from '../../platform/faults.ts'

/** Whose eyes a search looks through, as the caller asks for it. */
export interface View {
  readonly role?: Role | null
  readonly ceiling?: OrderedVisibility | null
}

/** Whether a search looks through other eyes than the caller's own. */
export function isLookedThrough({ role = null, ceiling = null }: View): boolean {
  return role !== null || ceiling !== null
}

/**
 * The caller as somebody with a role or a lower ceiling. Never more than the caller may see, and no private notes. The
 * workspaces stay the caller's own.
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
