import type { Kysely } from 'kysely'
import type { DialectName } from '../portable.ts'
import { binTables } from './0001-schema/bin.ts'
import { collectionTables } from './0001-schema/collections.ts'
import { entryTables } from './0001-schema/entries.ts'
import { judgedSetTables } from './0001-schema/judged-sets.ts'
import { merchandisingTables } from './0001-schema/merchandising.ts'
import { oauthTables } from './0001-schema/oauth.ts'
import { operatorTables } from './0001-schema/operators.ts'
import { peopleTables } from './0001-schema/people.ts'
import { productTables } from './0001-schema/products.ts'
import { searchLogTables } from './0001-schema/search-log.ts'
import { secondFactorTables } from './0001-schema/second-factors.ts'
import { signInTables } from './0001-schema/sign-in.ts'
import { siteTables } from './0001-schema/sites.ts'
import { tenantTables } from './0001-schema/tenants.ts'

/** Tables by domain. A table comes after the tables that it refers to. */
const DOMAINS = [
  tenantTables,
  peopleTables,
  signInTables,
  secondFactorTables,
  oauthTables,
  collectionTables,
  entryTables,
  binTables,
  siteTables,
  productTables,
  merchandisingTables,
  searchLogTables,
  judgedSetTables,
  operatorTables,
]

/** Returns the migration that creates all tables of version 0.1.0. `tables.ts` describes their columns. */
export function schemaMigration(dialect: DialectName) {
  async function up(db: Kysely<unknown>): Promise<void> {
    for (const statement of DOMAINS.flatMap((tables) => tables(dialect))) await statement.execute(db)
  }

  return { up }
}
