import type { Caller, TenantSettings as Settings } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Expected } from '../../platform/precondition.ts'
import { requireLasting } from '../api-keys/lasting.ts'
import type { Confirmations } from '../sessions/factors/confirmations.ts'
import type { SignInFacts } from '../sessions/rules.ts'
import type { TenantSettings } from '../tenants/contract.ts'
import { lockTenant } from '../tenants/lock-rules.ts'
import {
  changeSettings,
  refuseFieldsOfOperator,
  requireState,
  settingsInForce,
  type VersionedState,
} from '../tenants/settings-rules.ts'
import { settingsOf } from '../tenants/settings.ts'
import type { TenantSettingsUpdate } from './contract.ts'

type FactorNeed = Settings['requireSecondFactor']

/** Values of the setting, from the one by which fewest people need a second factor. */
const FACTOR_NEEDS: readonly FactorNeed[] = ['off', 'on', 'all']

/** Reads and changes the settings of the caller's tenant. */
export class TenantSettingsRules {
  readonly #database: Database
  readonly #confirmations: Confirmations

  constructor(database: Database, confirmations: Confirmations) {
    this.#database = database
    this.#confirmations = confirmations
  }

  /** Returns the settings in force. */
  async read({ tenant }: Caller): Promise<VersionedState<TenantSettings>> {
    return settingsInForce(this.#database.queries, tenant.id)
  }

  /**
   * Changes settings, from the next request on, in every process. Absent settings stay. A signed-in person proves again
   * who they are for a change by which fewer people need a second factor: a password alone would then let a thief in.
   * @param undeclared names in the body that are no settings of a tenant
   * @throws Fault forbidden, at each setting that only the operator changes, for a credential that ends when fewer
   *   people would need a second factor, and of type proof_needed; precondition_failed when the settings have another
   *   version
   */
  async change(
    caller: Caller,
    { name, confirmation, ...fields }: TenantSettingsUpdate,
    undeclared: readonly string[],
    facts: SignInFacts,
    expected: Expected<number>,
  ): Promise<VersionedState<TenantSettings>> {
    const { id: tenantId } = caller.tenant
    refuseFieldsOfOperator(undeclared)
    const settings = settingsOf(fields)
    const isLowering = ({ version, value }: VersionedState<TenantSettings>): boolean => {
      requireState(version, expected)
      return isLower(settings.requireSecondFactor, value.require_second_factor)
    }
    const wasLowering = isLowering(await settingsInForce(this.#database.queries, tenantId))
    return this.#confirmations.giving({ caller, confirmation, facts }, wasLowering, (requireProof) =>
      this.#database.write(async (tx) => {
        // The lock orders two administrators who change settings at the same moment.
        await lockTenant(tx, tenantId)
        if (isLowering(await settingsInForce(tx, tenantId))) {
          await requireLasting(tx, caller)
          await requireProof(tx)
        }
        return changeSettings(tx, tenantId, { name, settings }, caller)
      }, tenantId),
    )
  }
}

/** Tells whether fewer people need a second factor by a new value than by the one in force. */
function isLower(is: FactorNeed | undefined, was: FactorNeed): boolean {
  return is !== undefined && FACTOR_NEEDS.indexOf(is) < FACTOR_NEEDS.indexOf(was)
}
