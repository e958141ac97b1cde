import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'

/**
 * The commit whose migrations these are, oldest first: the last one before they became one schema. They are written out
 * again, so that a slip in the program's own list fails.
 */
export const LAST_UNRELEASED_COMMIT = '3ca3ad3d'
export const UNRELEASED_MIGRATIONS = [
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

/** Makes a database with the schema one that has these migrations in place of its own. */
export async function nameMigrations({ queries }: Database, names: readonly string[]): Promise<void> {
  await sql`delete from kysely_migration`.execute(queries)
  for (const [place, name] of names.entries()) {
    const timestamp = new Date(Date.UTC(2026, 10, 1, 0, 0, place)).toISOString()
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${timestamp})`.execute(queries)
  }
}
