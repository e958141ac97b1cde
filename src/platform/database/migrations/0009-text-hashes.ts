import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** Notes which texts the vectors of a document were read from, so that no model reads a text twice. */
export function textHashes(dialect: DialectName): Migration {
  const { bytes } = columnTypes(dialect)
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const table of ['entry_vectors', 'product_vectors']) {
        await sql`alter table ${sql.table(table)} add column text_hashes ${bytes}`.execute(db)
      }
    },
  }
}
