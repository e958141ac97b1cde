import { CEILINGS, ROLE_SCOPES, type Role } from '../../../../src/platform/access/scopes.ts'

type Level = 'public' | 'community' | 'internal' | 'workspace' | 'restricted'

const LEVELS = CEILINGS.map((scope) => scope.slice('visibility:'.length)) as readonly Level[]

/** Returns the levels that a person with the role may see at most, the lowest first. */
export function levelsOf(role: Role): readonly Level[] {
  const highest = CEILINGS.findLastIndex((ceiling) => ROLE_SCOPES[role].includes(ceiling))
  return LEVELS.slice(0, highest + 1)
}

/** Returns the group with another role; a ceiling above the new role is replaced by that of the role. */
export function withRole<Group extends { readonly role: Role; readonly ceiling: Level | null }>(
  group: Group,
  role: Role,
): Omit<Group, 'role' | 'ceiling'> & { role: Role; ceiling: Level | null } {
  const { ceiling } = group
  return { ...group, role, ceiling: ceiling !== null && levelsOf(role).includes(ceiling) ? ceiling : null }
}
