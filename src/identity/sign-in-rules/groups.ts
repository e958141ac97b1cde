import { ROLES, type Role, ROLE_SCOPES } from '../../platform/access/scopes.ts'
import { ceilingOf, ORDERED_VISIBILITIES, type OrderedVisibility } from '../../platform/access/visibility.ts'
import { isUnchecked, type Unchecked } from '../../platform/contract/unchecked.ts'
import { ProviderTrouble } from '../sessions/provider-trouble.ts'
import type { SignInRules } from './contract.ts'

/** Role and ceiling of a person in a tenant. */
export interface Access {
  readonly role: Role
  /** Null for the ceiling of the role. */
  readonly ceiling: OrderedVisibility | null
}

/**
 * Returns the groups in a claim: a list of texts, or one text. Values of other types are left out.
 * @param name of the claim; with dots also of a claim within a claim
 * @returns null when there is no such claim
 * @throws ProviderTrouble when the provider keeps the groups elsewhere, as Entra ID does for people with many groups.
 *   No groups in place of these would lock such people out
 */
export function groupsIn(claims: Unchecked, name: string): ReadonlySet<string> | null {
  const elsewhere = claims._claim_names
  if (isUnchecked(elsewhere) && Object.hasOwn(elsewhere, name))
    throw new ProviderTrouble(
      `The provider does not send the claim ${name} itself: let it send only groups of this application`,
    )
  const value = valueAt(claims, name)
  if (value === undefined) return null
  const groups = Array.isArray(value) ? (value as unknown[]) : [value]
  return new Set(groups.filter((group) => typeof group === 'string'))
}

function valueAt(claims: Unchecked, name: string): unknown {
  // Names of claims may be addresses, which have dots too.
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (!isUnchecked(value) || !Object.hasOwn(value, part)) return undefined
    value = value[part]
  }
  return value
}

/**
 * Returns the access that a person's groups give: of several groups the highest role and the highest ceiling.
 * @returns null for no access
 */
export function accessFor(
  { groups: table, default_role: byDefault }: Pick<SignInRules, 'groups' | 'default_role'>,
  groups: ReadonlySet<string>,
): Access | null {
  const matching = table.filter(({ group }) => groups.has(group))
  if (matching.length === 0) return byDefault === null ? null : { role: byDefault, ceiling: null }
  const role = ROLES.findLast((each) => matching.some((row) => row.role === each))!
  const ceilings = new Set(matching.map((row) => row.ceiling ?? ceilingOfRole(row.role)))
  const ceiling = ORDERED_VISIBILITIES.findLast((level) => ceilings.has(level))!
  return { role, ceiling: ceiling === ceilingOfRole(role) ? null : ceiling }
}

/** Returns the highest level of visibility that a role sees. */
export function ceilingOfRole(role: Role): OrderedVisibility {
  return ceilingOf(new Set(ROLE_SCOPES[role].filter((scope) => scope.startsWith('visibility:'))))
}
