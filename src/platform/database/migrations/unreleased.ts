import type { Tx } from '../database.ts'

/**
 * The migrations that led to `0001-schema` before the first release. A database with all of them has its schema, table
 * by table; one with fewer has to get the others first, from the last program that has them.
 */
const UNRELEASED: ReadonlySet<string> = new Set([
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
])
const LAST_COMMIT = '3ca3ad3d'

/** Why this program does not update a database of which `isUnfinished` holds. */
export const UNFINISHED =
  'The database is older than this program can update: it was made before the first release. Start the program of ' +
  `commit ${LAST_COMMIT} on it once (git checkout ${LAST_COMMIT}, npm start), then this one.`

/** Whether these are all the migrations of before the first release: the database has the schema, by other names. */
export function isUnreleased(applied: readonly string[]): boolean {
  return applied.length === UNRELEASED.size && applied.every((name) => UNRELEASED.has(name))
}

/** Whether these are some of them, and no others. */
export function isUnfinished(applied: readonly string[]): boolean {
  return applied.length > 0 && applied.length < UNRELEASED.size && applied.every((name) => UNRELEASED.has(name))
}

/** Puts the name of the schema in place of those of an unreleased database. Nothing else changes. */
export async function renameUnreleased(tx: Tx, schema: string): Promise<void> {
  const names = tx.withTables<{ kysely_migration: { name: string; timestamp: string } }>()
  await names.deleteFrom('kysely_migration').execute()
  await names.insertInto('kysely_migration').values({ name: schema, timestamp: new Date().toISOString() }).execute()
}
