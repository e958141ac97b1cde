import type { Caller, TenantSettings as Known } from '../../platform/access/caller.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { Fault } from '../../platform/faults.ts'
import { type Expected, requireExpected } from '../../platform/precondition.ts'
import type { TenantSettings, TenantSettingsUpdate } from './contract.ts'
import { applyChange } from './rules.ts'
import { parseSettings, settingFields, settingsOf } from './settings.ts'
import * as store from './store.ts'

/** A state of settings, by the number that it has. */
export interface Numbered<T> {
  readonly version: number
  readonly value: T
}

/**
 * What the operator decides, because it reaches beyond the tenant: addresses, memory and quotas, which tenants share,
 * and providers of embeddings, whose addresses may lie inside the operator's network.
 */
const OF_THE_OPERATOR =
  /^(?:id|tenant_id|host|search_engine|embedding.*|.*memory.*|.*quota.*|rate_limit.*|sign_in_(?:issuer|client).*)$/

/** Who needs a second factor, fewest people first. */
const FACTOR_NEEDS: readonly Known['requireSecondFactor'][] = ['off', 'on', 'all']

/** Refuses credentials that end (`identity/api-keys/lasting.ts`). Passed in, since keys are above tenants. */
type RequireLasting = (tx: Tx, caller: Caller) => Promise<void>

/** Settings of a tenant, for its administrators. */
export class TenantSettingsRules {
  readonly #database: Database
  readonly #requireLasting: RequireLasting

  constructor(database: Database, requireLasting: RequireLasting) {
    this.#database = database
    this.#requireLasting = requireLasting
  }

  /** The settings in force. */
  async read({ tenant }: Caller): Promise<Numbered<TenantSettings>> {
    return shown((await store.findSettings(this.#database.queries, tenant.id))!)
  }

  /**
   * Changes the settings that are named, from the next request on, in every process.
   * @param undeclared names of the body that are no settings of a tenant
   * @throws Fault forbidden, at each setting that only the operator changes, and for a credential that ends when fewer people
   *   would need a second factor; precondition_failed when somebody else was faster
   */
  async change(
    caller: Caller,
    { name, ...fields }: TenantSettingsUpdate,
    undeclared: readonly string[],
    expected: Expected<number>,
  ): Promise<Numbered<TenantSettings>> {
    const { id: tenantId } = caller.tenant
    refuseOperators(undeclared)
    return this.#database.write(async (tx) => {
      // Two administrators who change settings at the same moment do it in turn.
      await store.lockTenant(tx, tenantId)
      const before = (await store.findSettings(tx, tenantId))!
      requireState(before.settings_version, expected)
      const settings = settingsOf(fields)
      if (isLooser(parseSettings(before.settings), settings)) await this.#requireLasting(tx, caller)
      await applyChange(tx, before, { name, settings }, caller)
      return shown((await store.findSettings(tx, tenantId))!)
    }, tenantId)
  }
}

/** @throws Fault precondition_failed when the present state is another one than expected */
export function requireState(version: number, expected: Expected<number>): void {
  requireExpected(version, expected, 'Somebody else has changed the settings. Read them again')
}

/** Whether fewer people need a second factor than before. */
function isLooser({ requireSecondFactor: before }: Known, { requireSecondFactor: after = before }: Partial<Known>) {
  const [was, is] = [before, after].map((each) => FACTOR_NEEDS.indexOf(each))
  return is < was
}

/** Whether only the operator of the service sets what has this name over HTTP. */
export function isOfTheOperator(name: string): boolean {
  return OF_THE_OPERATOR.test(name)
}

function refuseOperators(names: readonly string[]): void {
  const details = names
    .filter(isOfTheOperator)
    .map((name) => ({ loc: ['body', name], msg: 'Only the operator of the service may set this', type: 'forbidden' }))
  if (details.length > 0) throw new Fault('forbidden', details)
}

type Stored = NonNullable<Awaited<ReturnType<typeof store.findSettings>>>

function shown({
  name,
  host,
  embedding_model: model,
  settings,
  settings_version: version,
}: Stored): Numbered<TenantSettings> {
  const fields = settingFields(parseSettings(settings)) as Omit<TenantSettings, 'name' | 'host' | 'embedding_model'>
  return { version, value: { name, ...fields, host, embedding_model: model } }
}
