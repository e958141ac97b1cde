import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database, Queries } from './database.ts'
import type { DialectName } from './portable.ts'
import { knowledgeMigration } from './migrations/0001-knowledge.ts'
import { shopMigration } from './migrations/0002-shop.ts'
import { clicksMigration } from './migrations/0003-clicks.ts'
import { guardsMigration } from './migrations/0004-guards.ts'
import { signInMigration } from './migrations/0005-sign-in.ts'
import { syncRoomMigration } from './migrations/0006-sync-room.ts'
import { listWalksMigration } from './migrations/0007-list-walks.ts'
import { specialPricesMigration } from './migrations/0008-special-prices.ts'
import { visitorsMigration } from './migrations/0009-visitors.ts'
import { issuersAndClaimsMigration } from './migrations/0010-issuers-and-claims.ts'
import { changesInOrderMigration } from './migrations/0011-changes-in-order.ts'
import { keepingMigration } from './migrations/0012-keeping.ts'
import { publishableKeysMigration } from './migrations/0013-publishable-keys.ts'
import { merchantMigration } from './migrations/0014-merchant.ts'
import { entryAddressesMigration } from './migrations/0015-entry-addresses.ts'
import { shopLanguagesMigration } from './migrations/0016-shop-languages.ts'
import { peopleMigration } from './migrations/0017-people.ts'
import { secondFactorsMigration } from './migrations/0018-second-factors.ts'
import { tenantAdministrationMigration } from './migrations/0019-tenant-administration.ts'
import { operatorsMigration } from './migrations/0020-operators.ts'
import { productSyncRunsMigration } from './migrations/0022-product-sync-runs.ts'
import { judgedSetsMigration } from './migrations/0023-judged-sets.ts'
import { providerLogoutMigration } from './migrations/0024-provider-logout.ts'
import { linkGiversMigration } from './migrations/0026-link-givers.ts'
import { backupsMigration } from './migrations/0027-backups.ts'
import { quotasMigration } from './migrations/0030-quotas.ts'

/** All migrations, oldest first. Migrations only go forward; a released migration never changes. */
function migrations(dialect: DialectName): Record<string, Migration> {
  return {
    '0001-knowledge': knowledgeMigration(dialect),
    '0002-shop': shopMigration(dialect),
    '0003-clicks': clicksMigration(dialect),
    '0004-guards': guardsMigration(dialect),
    '0005-sign-in': signInMigration(dialect),
    '0006-sync-room': syncRoomMigration(dialect),
    '0007-list-walks': listWalksMigration(dialect),
    '0008-special-prices': specialPricesMigration(),
    '0009-visitors': visitorsMigration(dialect),
    '0010-issuers-and-claims': issuersAndClaimsMigration(dialect),
    '0011-changes-in-order': changesInOrderMigration(),
    '0012-keeping': keepingMigration(dialect),
    '0013-publishable-keys': publishableKeysMigration(dialect),
    '0014-merchant': merchantMigration(dialect),
    '0015-entry-addresses': entryAddressesMigration(),
    '0016-shop-languages': shopLanguagesMigration(),
    '0017-people': peopleMigration(dialect),
    '0018-second-factors': secondFactorsMigration(dialect),
    '0019-tenant-administration': tenantAdministrationMigration(dialect),
    '0020-operators': operatorsMigration(dialect),
    '0022-product-sync-runs': productSyncRunsMigration(dialect),
    '0023-judged-sets': judgedSetsMigration(dialect),
    '0024-provider-logout': providerLogoutMigration(dialect),
    '0026-link-givers': linkGiversMigration(dialect),
    '0027-backups': backupsMigration(dialect),
    '0030-quotas': quotasMigration(),
  }
}

/** Any number that nothing else in the database locks. */
const MIGRATION_LOCK = 7_204_115_390

export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

/**
 * Brings the schema up to date. Processes that start together apply each migration once; a failed migration changes
 * nothing.
 * @returns names of the migrations that this call applied
 * @throws MigrationError when the database is newer than this program, or a migration failed
 */
export async function migrate({ queries, portable }: Database): Promise<readonly string[]> {
  if (portable.name === 'sqlite') return migrateWith(queries, 'sqlite')
  // One transaction has one server process, also behind a pooler, and what is set for it ends with it.
  return queries.transaction().execute(async (tx) => {
    // Another process may migrate for longer than a write waits for a lock.
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(tx)
    return migrateWith(tx, 'postgres')
  })
}

async function migrateWith(queries: Queries, dialect: DialectName): Promise<readonly string[]> {
  const known = migrations(dialect)
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => known } })
  refuseUnknown(await appliedMigrations(queries), known)
  const { error, results } = await migrator.migrateToLatest()
  if (error !== undefined) {
    const failed = results?.find((result) => result.status === 'Error')?.migrationName
    const what = failed === undefined ? 'The schema could not be updated' : `Migration ${failed} failed and was undone`
    throw new MigrationError(`${what}: ${(error as Error).message}`, { cause: error })
  }
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

/**
 * Reads which migrations are applied, without changing anything.
 * @returns the number of applied migrations, and the names of the others
 * @throws MigrationError when the database is newer than this program
 */
export async function pendingMigrations({
  queries,
  portable,
}: Pick<Database, 'queries' | 'portable'>): Promise<{ applied: number; pending: readonly string[] }> {
  const known = migrations(portable.name)
  const applied = await appliedMigrations(queries)
  refuseUnknown(applied, known)
  return { applied: applied.length, pending: Object.keys(known).filter((name) => !applied.includes(name)) }
}

/** @throws MigrationError when this program is older than a database with these migrations */
export function refuseNewer(applied: readonly string[]): void {
  refuseUnknown(applied, migrations('sqlite'))
}

function refuseUnknown(applied: readonly string[], known: Readonly<Record<string, Migration>>): void {
  const unknown = applied.filter((name) => !(name in known))
  if (unknown.length === 0) return
  throw new MigrationError(
    `The database is newer than this program: it has ${unknown.join(', ')}. Start the version that made it, or a later one.`,
  )
}

/** Names of the migrations that the database has, whether this program knows them or not; none in an empty one. */
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
