import type { Queries, Tx } from '../../platform/database/database.ts'
import type { UnrelatedCosines } from './scale.ts'

/** The `tenant_id` of all rows: models belong to no tenant. */
const INSTALLATION = '*'

/** Returns what was measured of a model; null before. */
export async function findCosines(db: Queries, model: string): Promise<UnrelatedCosines | null> {
  const row = await db
    .selectFrom('embedding_models')
    .select(['mean', 'spread'])
    .where('tenant_id', '=', INSTALLATION)
    .where('model', '=', model)
    .executeTakeFirst()
  return row ?? null
}

/** Stores what was measured of a model. What another process has stored meanwhile stays. */
export async function storeCosines(tx: Tx, model: string, cosines: UnrelatedCosines, at: number): Promise<void> {
  await tx
    .insertInto('embedding_models')
    .values({ tenant_id: INSTALLATION, model, ...cosines, measured_at: at })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'model']).doNothing())
    .execute()
}
