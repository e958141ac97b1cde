import type { TenantSettings as Settings } from '../../platform/access/caller.ts'
import type { Actor } from '../../platform/audit/audit.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { Fault } from '../../platform/faults.ts'
import { type Expected, requireExpected } from '../../platform/precondition.ts'
import type { TenantSettings } from './contract.ts'
import { applyChange } from './rules.ts'
import { parseSettings, settingFields } from './settings.ts'
import * as store from './store.ts'

/** State of settings, with its version, which grows by one with each change. */
export interface VersionedState<T> {
  readonly version: number
  readonly value: T
}

/**
 * Names of fields that only the operator sets, because they reach beyond the tenant: addresses, memory and quotas,
 * which tenants share, and providers of embeddings, whose addresses may lie inside the operator's network. Among the
 * models that ship with the service, a tenant chooses at an address of its own.
 */
const OF_THE_OPERATOR =
  /^(?:id|tenant_id|host|search_engine|embedding.*|.*memory.*|.*quota.*|rate_limit.*|sign_in_(?:issuer|client).*)$/

/** Names of fields that people may try who want to choose the embedding model, which has routes of its own. */
const CHOSEN_ELSEWHERE = /^embedding_(?:model|choice)$/

const OPERATORS = 'Only the operator of the service may set this'
const ELSEWHERE = 'The model is chosen by PATCH /api/knowledge/embedding-models'

/** Returns the settings of a tenant in force. */
export async function settingsInForce(db: Queries, tenantId: string): Promise<VersionedState<TenantSettings>> {
  return answerOf((await store.findSettings(db, tenantId))!)
}

/** Changes settings of a tenant that the transaction has locked. @returns the settings in force */
export async function changeSettings(
  tx: Tx,
  tenantId: string,
  change: { readonly name?: string; readonly settings: Partial<Settings> },
  actor: Actor,
): Promise<VersionedState<TenantSettings>> {
  await applyChange(tx, (await store.findSettings(tx, tenantId))!, change, actor)
  return settingsInForce(tx, tenantId)
}

/** Refuses a change that expects another version of the settings. @throws Fault precondition_failed */
export function requireState(version: number, expected: Expected<number>): void {
  requireExpected(version, expected, 'Somebody else has changed the settings. Read them again')
}

/** Tells whether only the operator of the service sets a field with this name. */
export function isOfTheOperator(name: string): boolean {
  return OF_THE_OPERATOR.test(name)
}

/** Refuses fields that only the operator sets. @throws Fault forbidden, at each of them */
export function refuseFieldsOfOperator(names: readonly string[]): void {
  const details = names.filter(isOfTheOperator).map((name) => ({
    loc: ['body', name],
    msg: CHOSEN_ELSEWHERE.test(name) ? ELSEWHERE : OPERATORS,
    type: 'forbidden',
  }))
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
