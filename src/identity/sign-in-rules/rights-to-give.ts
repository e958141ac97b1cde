import type { Caller } from '../../platform/access/caller.ts'
import { covers, scopesOfUser } from '../../platform/access/user-scopes.ts'
import { Fault, type FaultDetail } from '../../platform/faults.ts'
import { FULL_ADMINISTRATOR } from '../users/bounds.ts'
import type { SignInRules } from './contract.ts'
import { accessFor } from './groups.ts'

type Row = SignInRules['groups'][number]
type GroupAccess = Pick<Row, 'role' | 'ceiling'>

/** Fields that decide which people the rows of the table reach. */
const REACH = ['groups_claim', 'create_users', 'link_by_email'] as const

/**
 * Refuses rules by which groups would give or lose rights that the caller does not have. Rows that stay as they are
 * pass, unless another field of the change decides anew which people they reach.
 * @throws Fault forbidden, at each field that needs more rights than the caller has
 */
export function requireRightsToGive({ scopes }: Caller, before: SignInRules, after: SignInRules): void {
  const details: FaultDetail[] = []
  const refuse = (msg: string, ...at: string[]) => details.push({ loc: ['body', ...at], msg, type: 'forbidden' })
  const mayGive = (access: GroupAccess) => covers(scopes, access)
  const changedReach = REACH.filter((field) => before[field] !== after[field])

  for (const [i, row] of after.groups.entries()) {
    if (includes(before.groups, row) && changedReach.length === 0) continue
    if (!mayGive(row)) refuse('You do not have this role yourself', 'groups', String(i), 'role')
    else if (after.groups.some((other) => givesMore(scopes, row, other)))
      refuse('Together with another group this gives more than you have', 'groups', String(i), 'role')
  }
  if (before.groups.some((row) => !includes(after.groups, row) && !mayGive(row)))
    refuse('You change or remove a group whose role you do not have yourself', 'groups')
  const { default_role: byDefault } = after
  const givesDefaultAnew = byDefault !== before.default_role || changedReach.length > 0
  if (byDefault !== null && givesDefaultAnew && !mayGive({ role: byDefault, ceiling: null }))
    refuse('You do not have this role yourself', 'default_role')

  // The next two fields reach users of every role, also of roles that no row names.
  if (mayGive(FULL_ADMINISTRATOR)) return throwIfAny(details)
  if (before.groups.length === 0 && after.groups.length > 0)
    refuse('Only an administrator without a lower ceiling lets roles follow groups', 'groups')
  if (after.link_by_email && !before.link_by_email)
    refuse('Only an administrator without a lower ceiling links accounts by address', 'link_by_email')
  if (after.link_by_email && after.link_proof === false && before.link_proof !== false)
    refuse('Only an administrator without a lower ceiling links accounts without a proof', 'link_proof')
  throwIfAny(details)
}

/**
 * Tells whether members of both groups may do more than the caller, and more than members of the other group alone. The
 * highest role and the highest ceiling of both count, which no single row may give.
 */
function givesMore(scopes: Caller['scopes'], row: Row, other: Row): boolean {
  const both = accessFor({ groups: [row, other], default_role: null }, new Set([row.group, other.group]))!
  return !covers(scopes, both) && !covers(new Set(scopesOfUser(other)), both)
}

function includes(rows: readonly Row[], { group, role, ceiling }: Row): boolean {
  return rows.some((each) => each.group === group && each.role === role && each.ceiling === ceiling)
}

function throwIfAny(details: readonly FaultDetail[]): void {
  if (details.length > 0) throw new Fault('forbidden', details)
}
