import type { Database, Tx } from './database.ts'

/** A number of a tenant's changes. */
interface TakenNumber {
  readonly tenantId: string
  readonly number: number
}

/** By transaction, the last number that it has taken. */
const taken = new WeakMap<Tx, TakenNumber>()

/** Returns the last number that a transaction has taken; undefined for one that changes nothing that is searched. */
export function numberOf(tx: Tx): TakenNumber | undefined {
  return taken.get(tx)
}

/**
 * Takes the next `count` numbers of a tenant's changes. The tenant's row stays locked until the transaction ends, so
 * numbers become visible in order. Take them before you read the state that the write depends on; then no two writers
 * of a tenant act on the same state.
 * @returns the last of the numbers, the model whose vectors the tenant's search compares with, and the one that the
 *   tenant has chosen; null for none
 */
export async function advanceWatermark(
  tx: Tx,
  tenantId: string,
  count = 1,
): Promise<{ seq: number; model: string | null; choice: string | null }> {
  const row = await tx
    .updateTable('tenants')
    .set((eb) => ({ watermark: eb('watermark', '+', count) }))
    .where('tenant_id', '=', tenantId)
    .returning(['watermark', 'embedding_model', 'embedding_choice'])
    .executeTakeFirstOrThrow()
  taken.set(tx, { tenantId, number: row.watermark })
  return { seq: row.watermark, model: row.embedding_model, choice: row.embedding_choice }
}

/** The newest change of a tenant, the model that its searches compare with, and its stored settings. */
export interface StoredState {
  readonly tenantId: string
  readonly watermark: number
  readonly model: string | null
  readonly settings: string
}

/** Returns the state of each of these tenants that exists. */
export function statesOf(
  { queries, portable }: Pick<Database, 'queries' | 'portable'>,
  tenantIds: readonly string[],
): Promise<StoredState[]> {
  return selectStates(queries)
    .where((eb) => portable.isOneOf(eb.ref('tenant_id'), tenantIds))
    .execute()
}

/** Returns the states of the tenants that follow `after` in the order of their ids, at most `limit`. */
export function statesAfter(
  { queries }: Pick<Database, 'queries'>,
  after: string,
  limit: number,
): Promise<StoredState[]> {
  return selectStates(queries).where('tenant_id', '>', after).orderBy('tenant_id').limit(limit).execute()
}

function selectStates(queries: Database['queries']) {
  return queries
    .selectFrom('tenants')
    .select(['tenant_id as tenantId', 'watermark', 'embedding_model as model', 'settings'])
}
