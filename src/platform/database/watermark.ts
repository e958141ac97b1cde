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
 * @returns the last of the numbers, and the model whose vectors the tenant's search compares with
 */
export async function advanceWatermark(
  tx: Tx,
  tenantId: string,
  count = 1,
): Promise<{ seq: number; model: string | null }> {
  const row = await tx
    .updateTable('tenants')
    .set((eb) => ({ watermark: eb('watermark', '+', count) }))
    .where('tenant_id', '=', tenantId)
    .returning(['watermark', 'embedding_model'])
    .executeTakeFirstOrThrow()
  taken.set(tx, { tenantId, number: row.watermark })
  return { seq: row.watermark, model: row.embedding_model }
}

/** Returns the watermark, the searched model and the stored settings of each tenant that exists. */
export async function statesOf(
  { queries, portable }: Pick<Database, 'queries' | 'portable'>,
  tenantIds: readonly string[],
): Promise<
  {
    readonly tenantId: string
    readonly watermark: number
    readonly model: string | null
    readonly settings: string
  }[]
> {
  const rows = await queries
    .selectFrom('tenants')
    .select(['tenant_id', 'watermark', 'embedding_model', 'settings'])
    .where((eb) => portable.isOneOf(eb.ref('tenant_id'), tenantIds))
    .execute()
  return rows.map(({ tenant_id: tenantId, watermark, embedding_model: model, settings }) => {
    return { tenantId, watermark, model, settings }
  })
}
