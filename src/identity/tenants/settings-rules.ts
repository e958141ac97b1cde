import type { Caller, TenantSettings as Settings } from '../../platform/access/caller.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { Fault } from '../../platform/faults.ts'
import { type Expected, requireExpected } from '../../platform/precondition.ts'
import type { TenantSettings, TenantSettingsUpdate } from './contract.ts'
import { applyChange } from './rules.ts'
import { parseSettings, settingFields, settingsOf } from './settings.ts'
import * as store from './store.ts'

/** State of settings, with its version, which grows by one with each change. */
export interface VersionedState<T> {
  readonly version: number
  readonly value: T
}

/**
 * Names of fields that only the operator sets, because they reach beyond the tenant: addresses, memory and quotas,
 * which tenants share, and providers of embeddings, whose addresses may lie inside the operator's network.
 */
const OF_THE_OPERATOR =
  /^(?:id|tenant_id|host|search_engine|embedding.*|.*memory.*|.*quota.*|rate_limit.*|sign_in_(?:issuer|client).*)$/

/** Values of the setting, from the one by which fewest people need a second factor. */
const FACTOR_NEEDS: readonly Settings['requireSecondFactor'][] = ['off', 'on', 'all']

/** Refuses credentials that end (`identity/api-keys/lasting.ts`). Passed in, since keys are above tenants. */
type RequireLasting = (tx: Tx, caller: Caller) => Promise<void>

/** Reads and changes the settings of the caller's tenant. */
export class TenantSettingsRules {
  readonly #database: Database
  readonly #requireLasting: RequireLasting

  constructor(database: Database, requireLasting: RequireLasting) {
    this.#database = database
    this.#requireLasting = requireLasting
  }

  /** Returns the settings in force. */
  async read({ tenant }: Caller): Promise<VersionedState<TenantSettings>> {
    return answerOf((await store.findSettings(this.#database.queries, tenant.id))!)
  }

  /**
   * Changes settings, from the next request on, in every process. Absent settings stay.
   * @param undeclared names in the body that are no settings of a tenant
   * @throws Fault forbidden, at each setting that only the operator changes, and for a credential that ends when fewer
   *   people would need a second factor; precondition_failed when the settings have another version
   */
  async change(
    caller: Caller,
    { name, ...fields }: TenantSettingsUpdate,
    undeclared: readonly string[],
    expected: Expected<number>,
  ): Promise<VersionedState<TenantSettings>> {
    const { id: tenantId } = caller.tenant
    refuseFieldsOfOperator(undeclared)
    return this.#database.write(async (tx) => {
      // The lock orders two administrators who change settings at the same moment.
      await store.lockTenant(tx, tenantId)
      const before = (await store.findSettings(tx, tenantId))!
      requireState(before.settings_version, expected)
      const settings = settingsOf(fields)
      if (isLooser(parseSettings(before.settings), settings)) await this.#requireLasting(tx, caller)
      await applyChange(tx, before, { name, settings }, caller)
      return answerOf((await store.findSettings(tx, tenantId))!)
    }, tenantId)
  }
}

/** Refuses a change that expects another version of the settings. @throws Fault precondition_failed */
export function requireState(version: number, expected: Expected<number>): void {
  requireExpected(version, expected, 'Somebody else has changed the settings. Read them again')
}

/** Tells whether fewer people need a second factor than before. */
function isLooser(
  { requireSecondFactor: before }: Settings,
  { requireSecondFactor: after = before }: Partial<Settings>,
) {
  const [was, is] = [before, after].map((each) => FACTOR_NEEDS.indexOf(each))
  return is < was
}

/** Tells whether only the operator of the service sets a field with this name. */
export function isOfTheOperator(name: string): boolean {
  return OF_THE_OPERATOR.test(name)
}

/** Refuses fields that only the operator sets. @throws Fault forbidden, at each of them */
function refuseFieldsOfOperator(names: readonly string[]): void {
  const details = names
    .filter(isOfTheOperator)
    .map((name) => ({ loc: ['body', name], msg: 'Only the operator of the service may set this', type: 'forbidden' }))
  if (details.length > 0) throw new Fault('forbidden', details)
}

type SettingsRow = NonNullable<Awaited<ReturnType<typeof store.findSettings>>>

/** Returns a row of settings as the API answers it. */
function answerOf({
  name,
  host,
  embedding_model: model,
  settings,
  settings_version: version,
}: SettingsRow): VersionedState<TenantSettings> {
  const fields = settingFields(parseSettings(settings)) as Omit<TenantSettings, 'name' | 'host' | 'embedding_model'>
  return { version, value: { name, ...fields, host, embedding_model: model } }
}
