import type { Database, Queries, Tx } from '../platform/database/database.ts'

/**
 * Returns the ids of the tenants that a process has to move to its model: those without a model, and those whose other
 * model was chosen by a process that started before `startedAt`. A choice of a later process stays. Suspended tenants
 * are left out.
 */
export async function tenantsBehind({ queries }: Database, model: string, startedAt: number): Promise<string[]> {
  const rows = await queries
    .selectFrom('tenants')
    .select('tenant_id')
    .where((eb) =>
      eb.or([
        eb('embedding_model', 'is', null),
        eb('embedding_model', '!=', model).and('model_chosen_at', '<', startedAt),
      ]),
    )
    .where('suspended_at', 'is', null)
    .orderBy('tenant_id')
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** Returns the models with which tenants search, in any order. */
export async function modelsSearched({ queries }: Database): Promise<string[]> {
  const rows = await queries.selectFrom('tenants').select('embedding_model').distinct().execute()
  return rows.flatMap(({ embedding_model: model }) => (model === null ? [] : [model]))
}

/** Tenants that search with a model, in any order. */
export async function tenantsOn({ queries }: Database, model: string): Promise<string[]> {
  const rows = await queries.selectFrom('tenants').select('tenant_id').where('embedding_model', '=', model).execute()
  return rows.map((row) => row.tenant_id)
}

/** Returns the model with which the tenant searches; null before its first vectors. */
export async function searchedModel(db: Queries, tenantId: string): Promise<string | null> {
  const row = await db
    .selectFrom('tenants')
    .select('embedding_model')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.embedding_model ?? null
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
    .set({ embedding_model: model, model_chosen_at: chosenAt })
    .where('tenant_id', '=', tenantId)
    .execute()
}
