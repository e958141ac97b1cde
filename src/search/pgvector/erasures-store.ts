/** Which erasures replicas know: those whose words are gone from them. */
import { sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { KnownReplica } from './listed-replica.ts'
import { isOf, type Place, REPLICAS } from './tables-store.ts'

/** Whether the table of replicas is there, with all columns of this version. */
export async function hasCurrentTable(queries: Queries): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_attribute where attrelid = to_regclass(${`${REPLICA_SCHEMA}.replicas`})
      and attname in ('erasures', 'searched_at')`.execute(queries)
  return rows.length === 2
}

/** All replicas, whole or not. */
export async function listKnownReplicas({ queries, portable }: Database): Promise<readonly KnownReplica[]> {
  if (portable.name !== 'postgres' || !(await hasCurrentTable(queries))) return []
  const { rows } = await sql<KnownReplica>`
    select tenant_id as "tenantId", index_name as index, nullif(model, '') as model, reached, is_ready as "isReady", mark,
      erasures
    from ${REPLICAS}`.execute(queries)
  return rows
}

/**
 * Notes that a replica knows erasures. Nothing happens if it has not reached the number of the last change that was read
 * after them: then it was built anew meanwhile.
 */
export async function noteErasures(
  database: Database,
  place: Place,
  { erasures, reached }: { readonly erasures: string | null; readonly reached: number },
): Promise<void> {
  await database.write(
    (tx) =>
      sql`update ${REPLICAS} set erasures = ${erasures} where ${isOf(place)} and reached >= ${reached}`.execute(tx),
    place.tenantId,
  )
}
