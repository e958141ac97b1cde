import { intersectScopes, ROLE_SCOPES, type Role, type Scope, SCOPES, withLowerCeilings } from './scopes.ts'
import type { OrderedVisibility } from './visibility.ts'

const ACTIONS = SCOPES.filter((scope) => !scope.startsWith('visibility:'))

/** Columns of a user's row that decide what the user may do. */
interface StoredUser {
  readonly role: string
  readonly ceiling: string | null
}

/** Returns the scopes that a user may use: those of the role, up to the user's own ceiling where there is one. */
export function scopesOfUser({ role, ceiling }: StoredUser): readonly Scope[] {
  // Only roles and levels that the contracts name are ever stored.
  const scopes = ROLE_SCOPES[role as Role]
  if (ceiling === null) return scopes
  return [...intersectScopes(scopes, [...ACTIONS, `visibility:${ceiling as OrderedVisibility}`])]
}

/** Scope that a caller who has it may give to a credential of a user whose role lacks it. */
export const BEYOND_ROLE: Scope = 'knowledge:prompts'

/**
 * Returns the scopes that a credential of a user may have: those of the user, and the offer of prompts to others, which
 * a person who writes entries does not have by default. Only a caller with that scope can give it to a credential.
 */
export function scopesOfCredentials(user: StoredUser): readonly Scope[] {
  const scopes = scopesOfUser(user)
  return scopes.includes('knowledge:write') ? [...new Set<Scope>([...scopes, BEYOND_ROLE])] : scopes
}

/** Tells whether the scopes contain everything that a user may do. */
export function covers(scopes: ReadonlySet<Scope>, user: StoredUser): boolean {
  const all = withLowerCeilings(scopes)
  return scopesOfUser(user).every((scope) => all.has(scope))
}

/** Tells whether a change of role and ceiling takes something away from a user. */
export const takesAway = (from: StoredUser, to: StoredUser): boolean => !covers(new Set(scopesOfUser(to)), from)
