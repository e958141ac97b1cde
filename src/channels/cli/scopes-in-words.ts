import { ROLE_SCOPES, ROLES, type Role } from '../../platform/access/scopes.ts'

/** Most scopes that are listed as they are, where no role has exactly them. */
const LISTED_MAX = 3

/**
 * Names scopes by the role with exactly them, or else by what they have more and less than a role, such as
 * `admin without knowledge:prompts`; a few scopes, and those far from every role, as they are. Nothing is left out.
 * @param scopes separated by spaces, as they are stored
 */
export function scopesInWords(scopes: string): string {
  const names = new Set(scopes.split(' '))
  const byRole = ROLES.map((role) => differenceOf(names, role))
  const exact = ROLES.find((role, i) => byRole[i] === role)
  if (exact !== undefined || names.size <= LISTED_MAX) return exact ?? scopes
  return [...byRole, scopes].reduce((shortest, each) => (each.length < shortest.length ? each : shortest))
}

function differenceOf(names: ReadonlySet<string>, role: Role): string {
  const own: ReadonlySet<string> = new Set(ROLE_SCOPES[role])
  const less = [...own].filter((name) => !names.has(name))
  const more = [...names].filter((name) => !own.has(name))
  const parts = [
    ...(less.length === 0 ? [] : [`without ${less.join(', ')}`]),
    ...(more.length === 0 ? [] : [`with ${more.join(', ')}`]),
  ]
  return parts.length === 0 ? role : `${role} ${parts.join(' and ')}`
}
