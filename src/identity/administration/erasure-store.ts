import type { Queries } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

type ErasureRow = Tables['user_erasures']

/** Stores that an erasure has begun, so that the service resumes it after an interruption. */
export async function insertErasure(tx: Queries, row: ErasureRow): Promise<void> {
  await tx.insertInto('user_erasures').values(row).execute()
}

/** Returns the erasures of all tenants that have begun and are not complete, oldest first. */
export async function openErasures(db: Queries): Promise<ErasureRow[]> {
  return db.selectFrom('user_erasures').selectAll().orderBy('begun_at').limit(1_000).execute()
}

/** Deletes the row of an erasure that is complete. */
export async function deleteErasure(tx: Queries, { tenant_id: tenantId, user_id: userId }: ErasureRow): Promise<void> {
  await tx.deleteFrom('user_erasures').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
}
