import { CEILINGS, ROLES, ROLE_SCOPES, type Role, type Scope } from '../../../../src/platform/access/scopes.ts'
import { covers } from '../../../../src/platform/access/user-scopes.ts'
import type { GivenCeiling, GivenRole } from '../../api/people.ts'

type Level = NonNullable<GivenCeiling>

/** Role and ceiling of a person, as the service stores them. */
export interface Access {
  readonly role: GivenRole
  readonly ceiling: GivenCeiling
}

/** Levels of visibility, the lowest first. */
const LEVELS = CEILINGS.map((scope) => scope.slice('visibility:'.length) as Level)

/** Returns the level up to which a role sees. */
export const levelOf = (role: Role): Level =>
  LEVELS.findLast((level) => ROLE_SCOPES[role].includes(`visibility:${level}`)) ?? 'public'

/** Returns the level up to which a person sees. */
export const seenLevel = ({ role, ceiling }: Access): Level => {
  const ofRole = levelOf(role)
  return ceiling !== null && LEVELS.indexOf(ceiling) < LEVELS.indexOf(ofRole) ? ceiling : ofRole
}

/**
 * Returns the ceilings that a person with these scopes may give with a role: null for the role's own, then the others
 * downwards.
 */
export function givableCeilings(scopes: readonly Scope[], role: Role): readonly GivenCeiling[] {
  const below = LEVELS.slice(0, LEVELS.indexOf(levelOf(role))).reverse()
  return [null, ...below].filter((ceiling) => covers(new Set(scopes), { role, ceiling }))
}

/** Returns the roles that a person with these scopes may give with some ceiling. */
export const givableRoles = (scopes: readonly Scope[]): readonly Role[] =>
  ROLES.filter((role) => givableCeilings(scopes, role).length > 0)

/**
 * Tells whether a person with these scopes may change another person. For display alone: the service checks every
 * request.
 */
export const mayManage = (scopes: readonly Scope[], { role, ceiling }: Access): boolean =>
  covers(new Set(scopes), { role, ceiling })
