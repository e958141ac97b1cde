import type { Caller } from '../../platform/access/caller.ts'
import { type OrderedVisibility, ORDERED_VISIBILITIES } from '../../platform/access/visibility.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries } from '../../platform/database/database.ts'
import { Fault, type FaultDetail } from '../../platform/faults.ts'
import type { Expected } from '../../platform/precondition.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import type { Confirmations } from '../sessions/factors/confirmations.ts'
import type { SignInFacts } from '../sessions/rules.ts'
import { changesBetween } from '../tenants/changes.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import { type VersionedState, requireState } from '../tenants/settings-rules.ts'
import { DEFAULT_RULES, type SignInRules, type SignInRulesChange } from './contract.ts'
import { ceilingOfRole } from './groups.ts'
import { requireRightsToGive } from './rights-to-give.ts'
import * as store from './store.ts'

/** Version of the default rules, which are in force before the first change. */
const FIRST_VERSION = 1

/** Reads and replaces the rules by which people of the outside provider become users of a tenant. */
export class SignInRulesRules {
  readonly #database: Database
  readonly #confirmations: Confirmations

  constructor(database: Database, confirmations: Confirmations) {
    this.#database = database
    this.#confirmations = confirmations
  }

  /** Returns the rules in force. */
  async read({ tenant }: Caller): Promise<VersionedState<SignInRules>> {
    return rulesOf(this.#database.queries, tenant.id)
  }

  /**
   * Replaces the rules, from the next sign-in on. A signed-in person who changes them proves again who they are, since
   * the rules make users and administrators.
   * @throws Fault invalid and forbidden, at each faulty field; forbidden for a credential that ends, and of type
   *   proof_needed;
   *   precondition_failed when the rules have another version
   */
  async replace(
    caller: Caller,
    { confirmation, ...wish }: SignInRulesChange,
    facts: SignInFacts,
    expected: Expected<number>,
  ): Promise<VersionedState<SignInRules>> {
    const { id: tenantId } = caller.tenant
    const rules = { ...wish, link_proof: wish.link_proof ?? true }
    requireConsistent(rules)
    const changesOf = ({ version, value }: VersionedState<SignInRules>) => {
      requireState(version, expected)
      requireRightsToGive(caller, value, rules)
      const changes = changesBetween(value, rules)
      return Object.keys(changes).length === 0 ? null : changes
    }
    const isChange = changesOf(await rulesOf(this.#database.queries, tenantId)) !== null
    return this.#confirmations.giving({ caller, confirmation, facts }, isChange, (requireProof) =>
      this.#database.write(async (tx) => {
        // The lock orders two administrators who change the rules at the same moment.
        await lockTenant(tx, tenantId)
        const before = await rulesOf(tx, tenantId)
        const changes = changesOf(before)
        if (changes === null) return before
        await requireLasting(tx, caller)
        await requireProof(tx)
        const version = before.version + 1
        await store.putRules(tx, tenantId, { rules: JSON.stringify(rules), version })
        const event = {
          action: 'update',
          resourceType: 'sign_in_rules',
          resourceId: tenantId,
          details: { changes },
        } as const
        await recordAudit(tx, tenantId, caller, [event])
        return { version, value: rules }
      }, tenantId),
    )
  }
}

/** Returns the rules in force in a tenant. */
export async function rulesOf(db: Queries, tenantId: string): Promise<VersionedState<SignInRules>> {
  const row = await store.findRules(db, tenantId)
  return row === null
    ? { version: FIRST_VERSION, value: DEFAULT_RULES }
    : { version: row.version, value: parseRules(row.rules) }
}

/** Parses the rules of a row. A field that is newer than the row has its default. */
function parseRules(json: string): SignInRules {
  return { ...DEFAULT_RULES, ...(JSON.parse(json) as Partial<SignInRules>) }
}

/** Refuses rules that contradict themselves. @throws Fault invalid, at each faulty field */
function requireConsistent({ create_users: creates, groups, default_role: byDefault }: SignInRules): void {
  const details: FaultDetail[] = []
  const names = new Set<string>()
  for (const [i, { group, role, ceiling }] of groups.entries()) {
    const loc = ['body', 'groups', String(i)]
    if (names.has(group)) details.push({ loc: [...loc, 'group'], msg: 'The group is named twice', type: 'value_error' })
    names.add(group)
    if (ceiling !== null && isAbove(ceiling, ceilingOfRole(role)))
      details.push({ loc: [...loc, 'ceiling'], msg: `The role ${role} does not see this level`, type: 'value_error' })
  }
  if (creates && groups.length === 0 && byDefault === null) {
    const msg = 'Users can only be made with groups or a default role'
    details.push({ loc: ['body', 'create_users'], msg, type: 'value_error' })
  }
  if (details.length > 0) throw new Fault('invalid', details)
}

function isAbove(one: OrderedVisibility, other: OrderedVisibility): boolean {
  return ORDERED_VISIBILITIES.indexOf(one) > ORDERED_VISIBILITIES.indexOf(other)
}
