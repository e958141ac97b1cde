import { sql } from 'kysely'
import type { Queries } from './database.ts'
import { REPLICA_SCHEMA } from './replica-schema.ts'

/** Kysely's lock of running migrations, which holds no data. */
const LOCK_TABLE = 'kysely_migration_lock'

/**
 * Returns the names of all tables of the database that hold data, in alphabetical order; none for an empty database.
 * The name of a table in another schema than `public` begins with the schema and a dot. Search replicas are left out.
 */
export async function tableNames(queries: Queries): Promise<string[]> {
  const tables = await queries.introspection.getTables({ withInternalKyselyTables: true })
  return tables
    .filter(({ name, schema, isView }) => !isView && name !== LOCK_TABLE && schema !== REPLICA_SCHEMA)
    .map(({ name, schema = 'public' }) => (schema === 'public' ? name : `${schema}.${name}`))
    .toSorted()
}

/** Counts the rows of each table, by the table's name. */
export async function countRows(queries: Queries): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const table of await tableNames(queries)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(queries)
    counts[table] = rows[0].count
  }
  return counts
}

/**
 * Returns the name of the state that a transaction of PostgreSQL sees. Until the transaction ends, another connection
 * can take the name and sees the same state.
 */
export async function exportSnapshot(queries: Queries): Promise<string> {
  const { rows } = await sql<{ name: string }>`select pg_export_snapshot() as name`.execute(queries)
  return rows[0].name
}
