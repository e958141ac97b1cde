import type { Tx } from '../database.ts'

/**
 * The migrations that led to `0001-schema` before the first release, oldest first. A database with all of them has its
 * schema; one with fewer has to get the others first, from the last program that has them.
 */
export const UNRELEASED_MIGRATIONS: readonly string[] = [
  '0001-knowledge',
  '0002-shop',
  '0003-clicks',
  '0004-guards',
  '0005-sign-in',
  '0006-sync-room',
  '0007-list-walks',
  '0008-special-prices',
  '0009-visitors',
  '0010-issuers-and-claims',
  '0011-changes-in-order',
  '0012-keeping',
  '0013-publishable-keys',
  '0014-merchant',
  '0015-entry-addresses',
  '0016-shop-languages',
  '0017-people',
  '0018-second-factors',
  '0019-tenant-administration',
  '0020-operators',
  '0022-product-sync-runs',
  '0023-judged-sets',
  '0024-provider-logout',
  '0026-link-givers',
  '0027-backups',
  '0030-quotas',
]
/** The last commit that has these migrations. */
const LAST_COMMIT = '3ca3ad3d2df168fa78baa5e9183da9b95ced1bc3'

/** Why this program does not update a database that `lacksUnreleased` names. */
export const TOO_OLD_MESSAGE =
  'The database is older than this program can update: it was made before the first release. Start the program of an ' +
  `earlier commit on it once (git checkout ${LAST_COMMIT}, npm start), then this one.`

/** Whether these are all the migrations of before the first release: the database has the schema, by other names. */
export function isUnreleased(applied: readonly string[]): boolean {
  return isOfUnreleased(applied) && applied.length === UNRELEASED_MIGRATIONS.length
}

/** Whether these are some of them, and no others. */
export function lacksUnreleased(applied: readonly string[]): boolean {
  return isOfUnreleased(applied) && applied.length > 0 && applied.length < UNRELEASED_MIGRATIONS.length
}

function isOfUnreleased(applied: readonly string[]): boolean {
  return applied.every((name) => UNRELEASED_MIGRATIONS.includes(name))
}

/** Puts the name of the schema in place of those of an unreleased database. Nothing else changes. */
export async function renameUnreleased(tx: Tx, schema: string): Promise<void> {
  const names = tx.withTables<{ kysely_migration: { name: string; timestamp: string } }>()
  await names.deleteFrom('kysely_migration').execute()
  await names.insertInto('kysely_migration').values({ name: schema, timestamp: new Date().toISOString() }).execute()
}
