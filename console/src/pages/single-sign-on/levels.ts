import { CEILINGS, ROLE_SCOPES, type Role } from '../../../../src/platform/access/scopes.ts'
import type { SignInGroup } from './queries.ts'

type Level = NonNullable<SignInGroup['ceiling']>

const LEVELS = CEILINGS.map((scope) => scope.slice('visibility:'.length)) as readonly Level[]

/** The levels that somebody with the role may see at most, lowest first. */
export function levelsOf(role: Role): readonly Level[] {
  const highest = CEILINGS.findLastIndex((ceiling) => ROLE_SCOPES[role].includes(ceiling))
  return LEVELS.slice(0, highest + 1)
}

/** The group with another role; a level above the new role falls back to that of the role. */
export function withRole(group: SignInGroup, role: Role): SignInGroup {
  const { ceiling } = group
  return { ...group, role, ceiling: ceiling !== null && levelsOf(role).includes(ceiling) ? ceiling : null }
}
