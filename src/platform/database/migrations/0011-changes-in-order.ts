import { type Kysely, sql } from 'kysely'

/** Tables whose changes search indexes read, each with the column that names the document. */
const CHANGED = { entries: 'id', entry_tombstones: 'entry_id', products: 'id', product_tombstones: 'product_id' }

/** Tables of memberships, each with the column that names what the entry belongs to. */
const MEMBERSHIPS = { project_entries: 'project_id', site_entries: 'site_id' }

/**
 * Lets changes be listed along an index from any place. Without the id, the database would read and sort all rows with
 * the same number, and PostgreSQL all later changes where it expects few. The memberships of an entry get an index that
 * contains the whole answer; otherwise SQLite prefers another index that does, and reads all memberships of the tenant.
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
