import { type Kysely, sql } from 'kysely'

/** Tables that search indexes read their changes from, each with what names a document in it. */
const CHANGED = { entries: 'id', entry_tombstones: 'entry_id', products: 'id', product_tombstones: 'product_id' }

/** Tables of memberships, each with what names the set that an entry is in. */
const MEMBERSHIPS = { project_entries: 'project_id', site_entries: 'site_id' }

/**
 * Lets changes be listed along an index, from any place on: without the id the database reads and sorts whatever has
 * the same number, and PostgreSQL, where it expects few rows, all that has changed since. The memberships of an entry get an
 * index that holds the whole answer: SQLite else prefers the one that does, and reads all memberships of the tenant.
 */
export function changesInOrderMigration() {
  async function up(db: Kysely<unknown>): Promise<void> {
    for (const [table, id] of Object.entries(CHANGED)) {
      const name = `${table}_by_seq`
      await db.schema.dropIndex(name).execute()
      await sql`create index ${sql.ref(name)} on ${sql.table(table)} (tenant_id, seq, ${sql.ref(id)})`.execute(db)
    }
    for (const [table, id] of Object.entries(MEMBERSHIPS)) {
      const name = `${table}_by_entry`
      await db.schema.dropIndex(name).execute()
      await sql`create index ${sql.ref(name)} on ${sql.table(table)} (tenant_id, entry_id, ${sql.ref(id)})`.execute(db)
    }
  }

  return { up }
}
