/** Reads and notes which erasures a replica knows: the erased documents and their words are gone from it. */
import { sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import { REPLICA_SCHEMA } from '../../platform/database/replica-schema.ts'
import type { KnownReplica } from './listed-replica.ts'
import { rowOf, type ReplicaKey, REPLICAS } from './tables-store.ts'

/** Tells whether the table of replicas exists with all columns of this version. */
export async function hasCurrentTable(queries: Queries): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_attribute where attrelid = to_regclass(${`${REPLICA_SCHEMA}.replicas`})
      and attname in ('erasures', 'searched_at', 'values_reached', 'changes')`.execute(queries)
  return rows.length === 4
}

/** Returns all replicas, also unfinished ones. */
export async function listKnownReplicas({ queries, portable }: Database): Promise<readonly KnownReplica[]> {
  if (portable.name !== 'postgres' || !(await hasCurrentTable(queries))) return []
  const { rows } = await sql<KnownReplica>`
    select tenant_id as "tenantId", index_name as index, nullif(model, '') as model, reached, is_ready as "isReady", mark,
      erasures
    from ${REPLICAS}`.execute(queries)
  return rows
}

/**
 * Notes that a replica knows erasures. Does nothing if the replica was built anew meanwhile, so that it has not reached
 * the number of the last change that was read after the erasures.
 */
export async function noteErasures(
  database: Database,
  key: ReplicaKey,
  { erasures, reached }: { readonly erasures: string | null; readonly reached: number },
): Promise<void> {
  await database.write(
    (tx) =>
      sql`update ${REPLICAS} set erasures = ${erasures} where ${rowOf(key)} and reached >= ${reached}`.execute(tx),
    key.tenantId,
  )
}
