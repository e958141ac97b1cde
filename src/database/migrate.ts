import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import type { DialectName } from './portable.ts'
import { knowledgeMigration } from './migrations/0001-knowledge.ts'
import { shopMigration } from './migrations/0002-shop.ts'
import { clicksMigration } from './migrations/0003-clicks.ts'

/** All migrations, oldest first. They only go forward; a released one never changes. */
function migrations(dialect: DialectName): Record<string, Migration> {
  return {
    '0001-knowledge': knowledgeMigration(dialect),
    '0002-shop': shopMigration(dialect),
    '0003-clicks': clicksMigration(dialect),
  }
}

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/**
 * Brings the schema up to date. Processes that start together apply each step once; a step that
 * fails leaves nothing behind.
 * @returns names of the migrations this call applied
 * @throws MigrationError when the database is newer than this program, or a step failed
 */
export async function migrate({ queries, portable }: Database): Promise<readonly string[]> {
  const known = migrations(portable.name)
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => known } })
  const unknown = (await appliedMigrations(queries)).filter((name) => !(name in known))
  if (unknown.length > 0) {
    throw new MigrationError(
      `The database is newer than this program: it has ${unknown.join(', ')}. Start the version that made it, or a later one.`,
    )
  }
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    const what = failed === undefined ? 'The schema could not be updated' : `Migration ${failed} failed and was undone`
    throw new MigrationError(`${what}: ${(error as Error).message}`, { cause: error })
  }
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

async function appliedMigrations(queries: Database['queries']): Promise<readonly string[]> {
  const tables = await queries.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const rows = await queries
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return rows.map((row) => row.name)
}
