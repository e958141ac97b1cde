import { intersectScopes, ROLE_SCOPES, type Role, type Scope, SCOPES, withLowerCeilings } from './scopes.ts'
import type { OrderedVisibility } from './visibility.ts'

const ACTIONS = SCOPES.filter((scope) => !scope.startsWith('visibility:'))

/** What the row of a user says about their permissions, as stored. */
interface Stored {
  readonly role: string
  readonly ceiling: string | null
}

/** What a user may do: the scopes of their role, up to their own ceiling where they have one. */
export function scopesOfUser({ role, ceiling }: Stored): readonly Scope[] {
  const scopes = ROLE_SCOPES[role as Role]
  if (ceiling === null) return scopes
  return [...intersectScopes(scopes, [...ACTIONS, `visibility:${ceiling as OrderedVisibility}`])]
}

/** Whether the scopes contain everything that such a user may do. */
export function covers(scopes: ReadonlySet<Scope>, user: Stored): boolean {
  const all = withLowerCeilings(scopes)
  return scopesOfUser(user).every((scope) => all.has(scope))
}
