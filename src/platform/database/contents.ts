import { sql } from 'kysely'
import type { Queries } from './database.ts'
import { REPLICA_SCHEMA } from './replica-schema.ts'

/** Kysely's lock of running migrations says nothing of what is stored. */
const LOCK_TABLE = 'kysely_migration_lock'

/**
 * Names of all tables of the database that hold data, in alphabetical order; empty for an empty database. Tables of
 * another schema than `public` have its name and a dot before theirs. Those of search replicas are left out.
 */
export async function tableNames(queries: Queries): Promise<string[]> {
  const tables = await queries.introspection.getTables({ withInternalKyselyTables: true })
  return tables
    .filter(({ name, schema, isView }) => !isView && name !== LOCK_TABLE && schema !== REPLICA_SCHEMA)
    .map(({ name, schema = 'public' }) => (schema === 'public' ? name : `${schema}.${name}`))
    .toSorted()
}

/** How many rows each table has, by its name. */
export async function countRows(queries: Queries): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tableNames(queries)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(queries)
    counts[table] = rows[0].count
  }
  return counts
}

/**
 * The name of the state that a transaction of PostgreSQL sees, by which another connection sees the same. It holds
 * until the transaction ends.
 */
export async function exportSnapshot(queries: Queries): Promise<string> {
  const { rows } = await sql<{ name: string }>`select pg_export_snapshot() as name`.execute(queries)
  return rows[0].name
}
