import type { Queries } from '../../platform/database/database.ts'
import { comesBefore } from '../../platform/database/page.ts'
import type { OperatorLogRow, OperatorRow } from '../../platform/database/tables.ts'
import { NO_TENANT } from '../tenants/realm.ts'

export async function insertOperator(db: Queries, row: OperatorRow): Promise<void> {
  await db.insertInto('operators').values(row).execute()
}

export async function listOperators(db: Queries): Promise<OperatorRow[]> {
  const query = db.selectFrom('operators').selectAll().where('tenant_id', '=', NO_TENANT)
  return query.orderBy('created_at').orderBy('id').execute()
}

export async function findOperator(db: Queries, id: string): Promise<OperatorRow | null> {
  const query = db.selectFrom('operators').selectAll().where('tenant_id', '=', NO_TENANT).where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

export async function findOperatorByHash(db: Queries, hash: string): Promise<OperatorRow | null> {
  const query = db.selectFrom('operators').selectAll().where('tenant_id', '=', NO_TENANT).where('hash', '=', hash)
  return (await query.executeTakeFirst()) ?? null
}

/**
 * Revokes an operator.
 * @param at milliseconds since 1970 @returns false when the operator does not exist or was revoked before
 */
export async function revokeOperator(db: Queries, id: string, at: number): Promise<boolean> {
  const result = await db
    .updateTable('operators')
    .set({ revoked_at: at })
    .where('tenant_id', '=', NO_TENANT)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function setLastUsed(db: Queries, id: string, at: number): Promise<void> {
  const query = db.updateTable('operators').set({ last_used_at: at })
  await query.where('tenant_id', '=', NO_TENANT).where('id', '=', id).execute()
}

export async function insertLogRow(db: Queries, row: OperatorLogRow): Promise<void> {
  await db.insertInto('operator_log').values(row).execute()
}

/** Returns rows of the audit log of the installation, newest first. */
export async function listLog(
  db: Queries,
  after: readonly [at: number, id: string] | null,
  limit: number,
): Promise<OperatorLogRow[]> {
  let query = db
    .selectFrom('operator_log')
    .selectAll()
    .where('tenant_id', '=', NO_TENANT)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (after !== null) query = query.where(comesBefore(['at', 'id'], after))
  return query.execute()
}
