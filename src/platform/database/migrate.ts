import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { VERSION_IN_WORDS } from '../version.ts'
import type { Database, Queries, Tx } from './database.ts'
import type { DialectName } from './portable.ts'
import { schemaMigration } from './migrations/0001-schema.ts'
import { textChanges } from './migrations/0002-text-changes.ts'
import { tenantWork } from './migrations/0003-tenant-work.ts'
import { promptsForOthers } from './migrations/0004-prompts-for-others.ts'
import { clientKeys } from './migrations/0005-client-keys.ts'
import { providerIdTokens } from './migrations/0006-provider-id-tokens.ts'
import { modelScales } from './migrations/0007-model-scales.ts'
import { modelChoice } from './migrations/0008-model-choice.ts'
import { textHashes } from './migrations/0009-text-hashes.ts'
import {
  isUnreleased,
  lacksUnreleased,
  renameUnreleased,
  TOO_OLD_MESSAGE,
  UNRELEASED_MIGRATIONS,
} from './migrations/unreleased.ts'

const SCHEMA = '0001-schema'

/** All migrations, oldest first. Migrations only go forward; a released migration never changes. */
function migrations(dialect: DialectName): Record<string, Migration> {
  return {
    [SCHEMA]: schemaMigration(dialect),
    '0002-text-changes': textChanges,
    '0003-tenant-work': tenantWork,
    '0004-prompts-for-others': promptsForOthers(dialect),
    '0005-client-keys': clientKeys(dialect),
    '0006-provider-id-tokens': providerIdTokens,
    '0007-model-scales': modelScales(dialect),
    '0008-model-choice': modelChoice,
    '0009-text-hashes': textHashes(dialect),
  }
}

/** Number of the advisory lock of migrations. No other lock of the database has it. */
const MIGRATION_LOCK = 7_204_115_390

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/**
 * Brings the schema up to date. Processes that start together apply each migration once; a failed migration changes
 * nothing. A database from before the first release has the same schema under other names of migrations; `0001-schema`
 * replaces them.
 * @returns names of the migrations that this call has added to the database
 * @throws MigrationError when the database is newer than this program or too old for it, or a migration failed
 */
export async function migrate({ queries, portable }: Database): Promise<readonly string[]> {
  // One transaction has one server process, also behind a pooler, and its settings end with it.
  const names = queries.transaction().execute(async (tx) => {
    if (portable.name === 'postgres') await takeTurn(tx)
    return migrateWith(tx, portable.name)
  })
  return portable.name === 'postgres' ? names : names.catch(failWith)
}

/** Throws an error of SQLite as a MigrationError, for example when another process has locked the file for too long. */
function failWith(error: unknown): never {
  if (error instanceof MigrationError) throw error
  throw new MigrationError(`The schema could not be updated: ${(error as Error).message}`, { cause: error })
}

/** Waits until no other process migrates, for longer than a write waits for a lock. SQLite has one writer anyway. */
async function takeTurn(tx: Tx): Promise<void> {
  await sql`set local lock_timeout = 0`.execute(tx)
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
}

async function migrateWith(tx: Tx, dialect: DialectName): Promise<readonly string[]> {
  const all = migrations(dialect)
  const before = await appliedMigrations(tx)
  refuseUnknown(before, all)
  const renamed = isUnreleased(before) ? [SCHEMA] : []
  if (renamed.length > 0) await renameUnreleased(tx, SCHEMA)
  // Nothing is left to do. Kysely would read the columns of all tables twice to find that out.
  if (Object.keys(all).every((name) => before.includes(name) || renamed.includes(name))) return renamed
  const migrator = new Migrator({ db: tx, provider: { getMigrations: async () => all } })
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) {
    const name = results?.find((result) => result.status === 'Error')?.migrationName
    const what = name === undefined ? 'The schema could not be updated' : `Migration ${name} failed and was undone`
    throw new MigrationError(`${what}: ${(error as Error).message}`, { cause: error })
  }
  const applied = (results ?? []).filter((result) => result.status === 'Success')
  return [...renamed, ...applied.map((result) => result.migrationName)]
}

/**
 * Reads which migrations are applied, without changing anything.
 * @returns the number of applied migrations, and the names of those that `migrate` would return
 * @throws MigrationError when the database is newer than this program, or too old for it
 */
export async function pendingMigrations({
  queries,
  portable,
}: Pick<Database, 'queries' | 'portable'>): Promise<{ applied: number; pending: readonly string[] }> {
  const all = migrations(portable.name)
  const applied = await appliedMigrations(queries)
  refuseUnknown(applied, all)
  return { applied: applied.length, pending: Object.keys(all).filter((name) => !applied.includes(name)) }
}

/**
 * Checks the migrations of a database.
 * @throws MigrationError when the database is newer than this program, or too old for it
 */
export function requireUpdatable(applied: readonly string[]): void {
  refuseUnknown(applied, migrations('sqlite'))
}

function refuseUnknown(applied: readonly string[], all: Readonly<Record<string, Migration>>): void {
  if (isUnreleased(applied)) return
  if (lacksUnreleased(applied)) throw new MigrationError(TOO_OLD_MESSAGE)
  const unknown = applied.filter((name) => !(name in all))
  if (unknown.length === 0) return
  const later = unknown.filter((name) => !UNRELEASED_MIGRATIONS.includes(name))
  throw new MigrationError(
    later.length > 0
      ? `The database is newer than this program, ${VERSION_IN_WORDS}: it has ${later.join(', ')}. Start the version that made it, or a later one.`
      : 'The table kysely_migration was changed by hand: it has the schema by both of its names. Restore a backup.',
  )
}

/** Returns the names of the migrations that the database has, also of those that this program does not know. */
export async function appliedMigrations(queries: Queries): Promise<readonly string[]> {
  const tables = await queries.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const rows = await queries
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return rows.map((row) => row.name)
}
