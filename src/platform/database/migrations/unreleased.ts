import type { Tx } from '../database.ts'

/**
 * Names of the migrations that led to `0001-schema` before the first release, oldest first. A database with all of them
 * has its schema. A database with fewer has to get the others first, from the last version that has them.
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

/** Reason, for the operator, why this program does not update a database for which `lacksUnreleased` is true. */
export const TOO_OLD_MESSAGE =
  'The database is older than this program can update: it was made before the first release. Start the program of an ' +
  `earlier commit on it once (git checkout ${LAST_COMMIT}, npm start), then this one.`

/**
 * Tells whether a database has exactly the migrations from before the first release: then it has the schema, under
 * other names.
 */
export function isUnreleased(applied: readonly string[]): boolean {
  return isOfUnreleased(applied) && applied.length === UNRELEASED_MIGRATIONS.length
}

/** Tells whether a database has only migrations from before the first release, and not all of them. */
export function lacksUnreleased(applied: readonly string[]): boolean {
  return isOfUnreleased(applied) && applied.length > 0 && applied.length < UNRELEASED_MIGRATIONS.length
}

function isOfUnreleased(applied: readonly string[]): boolean {
  return applied.every((name) => UNRELEASED_MIGRATIONS.includes(name))
}

/** Replaces the names of the migrations of an unreleased database by that of the schema. Nothing else changes. */
export async function renameUnreleased(tx: Tx, schema: string): Promise<void> {
  const names = tx.withTables<{ kysely_migration: { name: string; timestamp: string } }>()
  await names.deleteFrom('kysely_migration').execute()
  await names.insertInto('kysely_migration').values({ name: schema, timestamp: new Date().toISOString() }).execute()
}
