import { type Kysely, sql } from 'kysely'
import type { DialectName } from '../portable.ts'

/** Columns that decide who sees an entry. */
const GUARD = ['visibility', 'workspace_id', 'created_by_user_id']

/**
 * Lets the database decide who sees an entry without reading its text, so that the time of a refusal reveals nothing
 * about the size of a hidden entry. PostgreSQL stores long texts outside of their rows. SQLite stores them within, so
 * there the indexes contain the deciding columns. For the same reason an earlier version has its title beside its
 * snapshot.
 */
export function guardsMigration(dialect: DialectName) {
  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    await schema
      .alterTable('entry_versions')
      .addColumn('title', 'text', (c) => c.notNull().defaultTo(''))
      .execute()
    await (
      dialect === 'postgres'
        ? sql`update entry_versions set title = coalesce(snapshot::json ->> 'title', '')`
        : sql`update entry_versions set title = coalesce(json_extract(snapshot, '$.title'), '')`
    ).execute(db)
    if (dialect === 'postgres') return

    const index = (name: string, table: string, columns: readonly string[]) =>
      schema
        .createIndex(name)
        .on(table)
        .columns(['tenant_id', ...columns])
        .execute()
    await index('entries_guard', 'entries', ['id', ...GUARD])
    await schema.dropIndex('entries_newest').execute()
    await index('entries_newest', 'entries', ['created_at', 'id', ...GUARD, 'expires_at'])
    await schema.dropIndex('entries_by_source').execute()
    await index('entries_by_source', 'entries', ['source_reference', 'created_at', 'id', ...GUARD])
    const version = ['entry_id', 'version', 'visibility', 'workspace_id', 'updated_at', 'title']
    await index('entry_versions_guard', 'entry_versions', version)
  }

  return { up }
}
