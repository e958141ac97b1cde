import { type Kysely, sql } from 'kysely'
import type { DialectName } from '../portable.ts'

/**
 * Leaves half of each page of products free on PostgreSQL. A sync marks every product that it names, and PostgreSQL
 * then writes the row again: on the same page if there is room (heap-only tuples), else on another page with an entry
 * in each of the six indexes. Nightly syncs double the table's size in any case.
 * https://www.postgresql.org/docs/current/storage-hot.html
 */
export function syncRoomMigration(dialect: DialectName) {
  async function up(db: Kysely<unknown>): Promise<void> {
    if (dialect === 'postgres') await sql`alter table products set (fillfactor = 50)`.execute(db)
  }

  return { up }
}
