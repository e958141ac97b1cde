import { sql } from 'kysely'
import type { Database, Queries, Tx } from '../platform/database/database.ts'
import { type InstalledModels, targetModel, type TenantModels } from './target-model.ts'

/** A tenant that has to move, and the model that it should search with. */
interface TenantBehind {
  readonly tenantId: string
  readonly target: string
}

/**
 * Returns the tenants that do not search with the model that they should have. Of those without a choice of their own, a
 * tenant stays where its model was chosen by a process that started later than `startedAt`. Suspended tenants are left
 * out.
 */
export async function tenantsBehind(
  { queries }: Database,
  installed: InstalledModels,
  startedAt: number,
): Promise<TenantBehind[]> {
  const rows = await queries
    .selectFrom('tenants')
    .select(['tenant_id as tenantId', 'embedding_model as model', 'embedding_choice as choice'])
    .where((eb) =>
      eb.or([
        eb('embedding_model', 'is', null),
        eb('embedding_model', '!=', eb.ref('embedding_choice')),
        eb('embedding_choice', 'is', null)
          .and('embedding_model', 'not in', [installed.configured, ...installed.kept])
          .and('model_chosen_at', '<', startedAt),
      ]),
    )
    .where('suspended_at', 'is', null)
    .orderBy('tenant_id')
    .execute()
  return rows.map(({ tenantId, ...models }) => ({ tenantId, target: targetModel(models, installed) }))
}

/**
 * Returns the tenants that have no items, keep a model that is not the configured one, and have not chosen it. A choice
 * of a process that started later than `startedAt` stays. Suspended tenants are left out.
 * @param documents names of the tables of items
 */
export async function emptyTenants(
  { queries }: Database,
  documents: readonly string[],
  { configured, kept }: InstalledModels,
  startedAt: number,
): Promise<string[]> {
  const others = kept.filter((id) => id !== configured)
  if (others.length === 0) return []
  const rows = await queries
    .selectFrom('tenants')
    .select('tenant_id')
    .where('embedding_choice', 'is', null)
    .where('embedding_model', 'in', others)
    .where('model_chosen_at', '<', startedAt)
    .where('suspended_at', 'is', null)
    .where((eb) =>
      eb.and(
        documents.map(
          (table) =>
            sql<boolean>`not exists (select 1 from ${sql.table(table)} as d where d.tenant_id = ${eb.ref('tenants.tenant_id')})`,
        ),
      ),
    )
    .orderBy('tenant_id')
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** Returns the models with which tenants search and those that tenants have chosen, in any order. */
export async function modelsInUse({ queries }: Database): Promise<{ searched: string[]; chosen: string[] }> {
  const rows = await queries.selectFrom('tenants').select(['embedding_model', 'embedding_choice']).distinct().execute()
  const idsOf = (column: keyof (typeof rows)[number]): string[] => [
    ...new Set(rows.flatMap(({ [column]: id }) => (id === null ? [] : [id]))),
  ]
  return { searched: idsOf('embedding_model'), chosen: idsOf('embedding_choice') }
}

/** Tenants that search with a model, in any order. */
export async function tenantsOn({ queries }: Database, model: string): Promise<string[]> {
  const rows = await queries.selectFrom('tenants').select('tenant_id').where('embedding_model', '=', model).execute()
  return rows.map((row) => row.tenant_id)
}

/** Tenants that search with any model, in any order. */
export async function tenantsWithModel({ queries }: Database): Promise<string[]> {
  const rows = await queries
    .selectFrom('tenants')
    .select('tenant_id')
    .where('embedding_model', 'is not', null)
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** Models of a tenant, and the version of its settings. */
interface SettledModels extends TenantModels {
  readonly version: number
}

/** Returns the models of a tenant with the version of its settings. */
export async function settledModels(db: Queries, tenantId: string): Promise<SettledModels> {
  return db
    .selectFrom('tenants')
    .select(['embedding_model as model', 'embedding_choice as choice', 'settings_version as version'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
}

/** Stores the model that a tenant has chosen. It raises the version of the settings, as every change of them does. */
export async function setChoice(tx: Tx, tenantId: string, choice: string | null): Promise<void> {
  await tx
    .updateTable('tenants')
    .set((eb) => ({ embedding_choice: choice, settings_version: eb('settings_version', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Returns the models of a tenant; none for one that does not exist. */
export async function modelsOf(db: Queries, tenantId: string): Promise<TenantModels> {
  const row = await db
    .selectFrom('tenants')
    .select(['embedding_model as model', 'embedding_choice as choice'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row ?? { model: null, choice: null }
}

/**
 * Returns the models of a tenant, and locks its row until the transaction ends, so that neither a write nor a change of
 * the models comes between. Unlike `advanceWatermark` it gives no search anything to catch up with.
 */
export async function lockModels(tx: Tx, tenantId: string): Promise<SettledModels> {
  // An update without a change locks the row on both databases.
  const row = await tx
    .updateTable('tenants')
    .set((eb) => ({ embedding_model: eb.ref('embedding_model') }))
    .where('tenant_id', '=', tenantId)
    .returning(['embedding_model as model', 'embedding_choice as choice', 'settings_version as version'])
    .executeTakeFirst()
  return row ?? { model: null, choice: null, version: 0 }
}

/** Returns the start of the process that chose the tenant's model, in milliseconds since 1970. */
export async function modelChosenAt(db: Queries, tenantId: string): Promise<number> {
  const row = await db
    .selectFrom('tenants')
    .select('model_chosen_at')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return row.model_chosen_at
}

/**
 * Lets the tenant search with a model.
 * @param chosenAt start of the process that chooses it, in milliseconds since 1970
 */
export async function chooseModel(tx: Tx, tenantId: string, model: string, chosenAt: number): Promise<void> {
  await tx
    .updateTable('tenants')
    // A process that finds the tenant's own choice withdrawn may move the tenant, whenever it started.
    .set((eb) => ({
      embedding_model: model,
      model_chosen_at: eb.case().when('embedding_choice', 'is', null).then(chosenAt).else(0).end(),
    }))
    .where('tenant_id', '=', tenantId)
    .execute()
}
