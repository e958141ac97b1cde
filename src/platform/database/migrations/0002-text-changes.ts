import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Tells the changes of texts from those of values. The numbers of earlier changes stay 0, so that no row is written:
 * an index that is built afterwards reads every text, and compares the numbers only with later ones.
 */
export const textChanges: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const table of ['entries', 'products']) {
      await sql`alter table ${sql.table(table)} add column text_seq bigint not null default 0`.execute(db)
    }
  },
}
