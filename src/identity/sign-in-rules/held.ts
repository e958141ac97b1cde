import type { Caller } from '../../platform/access/caller.ts'
import { covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import { Fault, type FaultDetail } from '../../platform/faults.ts'
import { FULL_ADMINISTRATOR } from '../users/bounds.ts'
import type { SignInRules } from './contract.ts'
import { accessFor } from './groups.ts'

type Row = SignInRules['groups'][number]
type Given = Pick<Row, 'role' | 'ceiling'>

/** Fields that decide whom every row reaches. */
const REACH = ['groups_claim', 'create_users', 'link_by_email'] as const

/**
 * Nobody gives or takes through groups what they do not have. Rows that stand stay allowed, unless the change decides
 * anew whom they reach.
 * @throws Fault forbidden, at each field that needs more than the caller may do
 */
export function requireHeld({ scopes }: Caller, before: SignInRules, after: SignInRules): void {
  const details: FaultDetail[] = []
  const refuse = (msg: string, ...at: string[]) => details.push({ loc: ['body', ...at], msg, type: 'forbidden' })
  const holds = (given: Given) => covers(scopes, given)
  const reached = REACH.filter((field) => before[field] !== after[field])

  for (const [i, row] of after.groups.entries()) {
    if (includes(before.groups, row) && reached.length === 0) continue
    if (!holds(row)) refuse('You do not have this role yourself', 'groups', String(i), 'role')
    else if (after.groups.some((other) => givesMore(scopes, row, other)))
      refuse('Together with another group this gives more than you have', 'groups', String(i), 'role')
  }
  if (before.groups.some((row) => !includes(after.groups, row) && !holds(row)))
    refuse('You change or remove a group whose role you do not have yourself', 'groups')
  const { default_role: byDefault } = after
  const isDefaultGiven = byDefault !== before.default_role || reached.length > 0
  if (byDefault !== null && isDefaultGiven && !holds({ role: byDefault, ceiling: null }))
    refuse('You do not have this role yourself', 'default_role')

  // Both reach users of every role, whom no row names.
  if (holds(FULL_ADMINISTRATOR)) return throwAny(details)
  if (before.groups.length === 0 && after.groups.length > 0)
    refuse('Only an administrator without a lower ceiling lets roles follow groups', 'groups')
  if (after.link_by_email && !before.link_by_email)
    refuse('Only an administrator without a lower ceiling links accounts by address', 'link_by_email')
  throwAny(details)
}

/** Whether members of two groups may do more than the caller and more than members of the other group alone. */
function givesMore(scopes: Caller['scopes'], row: Row, other: Row): boolean {
  const both = accessFor({ groups: [row, other], default_role: null }, new Set([row.group, other.group]))!
  return !covers(scopes, both) && !covers(new Set(scopesOfUser(other)), both)
}

function includes(rows: readonly Row[], { group, role, ceiling }: Row): boolean {
  return rows.some((each) => each.group === group && each.role === role && each.ceiling === ceiling)
}

function throwAny(details: readonly FaultDetail[]): void {
  if (details.length > 0) throw new Fault('forbidden', details)
}
