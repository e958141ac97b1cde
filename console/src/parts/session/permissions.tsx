import { CEILINGS, isScope, ROLES, ROLE_SCOPES, type Role, type Scope } from '../../../../src/platform/access/scopes.ts'
import { useWords } from '../../i18n/language.tsx'
import type { Words } from '../../i18n/words.ts'

/** Scopes that name the highest level of visibility that a person sees. */
export type Ceiling = Extract<Scope, `visibility:${string}`>

/** Permissions that do harm in the wrong hands. They are marked wherever people choose permissions. */
const DANGEROUS: ReadonlySet<string> = new Set<Scope>([
  'knowledge:delete',
  'products:write',
  'sites:write',
  'clients:register',
  'tenant:admin',
  'visibility:restricted',
])

export const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name)
export const isDangerous = (scope: string): boolean => DANGEROUS.has(scope)
export const isCeiling = (scope: string): scope is Ceiling => scope.startsWith('visibility:')

/** Returns the scope in words; an unknown scope by its own name. */
export function permissionText(scope: string, { permissions }: Words): string {
  return isScope(scope) ? permissions[scope] : scope
}

/** Returns the role with exactly these scopes; null when there is none. */
function roleOf(scopes: readonly string[]): Role | null {
  const own = withHighestCeiling(scopes)
  return ROLES.find((role) => sameSet(withHighestCeiling(ROLE_SCOPES[role]), own)) ?? null
}

/** Returns the scopes without all ceilings but the highest. */
function withHighestCeiling(scopes: readonly string[]): ReadonlySet<string> {
  const highest = CEILINGS.findLast((ceiling) => scopes.includes(ceiling))
  return new Set(scopes.filter((scope) => !isCeiling(scope) || scope === highest))
}

const sameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each))

/** Shows a role or the number of permissions, and the list of them on demand. */
export function Permissions({ scopes }: { readonly scopes: readonly string[] }) {
  const words = useWords()
  const role = roleOf(scopes)
  return (
    <details className="permissions">
      <summary>{role === null ? words.permissionCount(scopes.length) : words.roles[role]}</summary>
      <ul>
        {scopes.map((scope) => (
          <li key={scope}>{permissionText(scope, words)}</li>
        ))}
      </ul>
    </details>
  )
}
