import { type Kysely, sql } from 'kysely'
import { canonicalLanguage } from '../../contract/language.ts'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

type Before = { entries: { language: string } }

const LANGUAGE_CHARACTERS_MAX = 5

/** What decides who sees an entry, and what a list of entries filters by beside that. */
const GUARD = ['visibility', 'workspace_id', 'created_by_user_id']
const FILTERED = ['expires_at', 'type', 'layer', 'language', 'category_id', 'source']

/**
 * The bin: deleted entries rest in tables of their own, so that no statement on entries has to leave them out. An entry
 * is kept as JSON of its row, so that a later column needs no second migration here. It comes last, since SQLite reads
 * a row from its beginning. The walk along entries also carries their source on SQLite, so that a list can filter by it
 * without reading long texts. Languages of entries become canonical, so that filters find them.
 */
export function keepingMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    await schema
      .createTable('binned_entries')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('visibility', 'text', (c) => c.notNull())
      .addColumn('workspace_id', key)
      .addColumn('created_by_user_id', key)
      .addColumn('deleted_at', 'bigint', (c) => c.notNull())
      .addColumn('purge_at', 'bigint', (c) => c.notNull())
      .addColumn('deleted_by_user_id', key)
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('category_id', key, (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('source_reference', key)
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('projects', 'text', (c) => c.notNull())
      .addColumn('sites', 'text', (c) => c.notNull())
      .addColumn('entry', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('binned_entries_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint('binned_entries_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await schema
      .createTable('binned_entry_versions')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('entry_id', key, (c) => c.notNull())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('visibility', 'text', (c) => c.notNull())
      .addColumn('workspace_id', key)
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('snapshot', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('binned_entry_versions_pk', ['tenant_id', 'entry_id', 'version'])
      .addForeignKeyConstraint(
        'binned_entry_versions_entry',
        ['tenant_id', 'entry_id'],
        'binned_entries',
        ['tenant_id', 'id'],
        (f) => f.onDelete('cascade'),
      )
      .execute()
    await canonicalise(db.withTables<Before>())
    await createIndexes(db)
  }

  /** `EN` becomes en. What is no language tag stays. */
  async function canonicalise(db: Kysely<Before>): Promise<void> {
    for (const { language } of await db.selectFrom('entries').select('language').distinct().execute()) {
      const tag = canonicalLanguage(language)
      if (tag === null || tag === language || tag.length > LANGUAGE_CHARACTERS_MAX) continue
      await db.updateTable('entries').set({ language: tag }).where('language', '=', language).execute()
    }
  }

  async function createIndexes(db: Kysely<unknown>): Promise<void> {
    await sql`
      create index binned_entries_newest on binned_entries (tenant_id, deleted_at, id)`.execute(db)
    await sql`create index binned_entries_due on binned_entries (purge_at)`.execute(db)
    // A reference may exceed the largest row of PostgreSQL's B-tree (2,704 bytes); its hash never does.
    const bySource = sql`create index binned_entries_by_source on binned_entries`
    await (
      dialect === 'postgres'
        ? sql`${bySource} using hash (source_reference)`
        : sql`${bySource} (tenant_id, source_reference)`
    ).execute(db)
    if (dialect === 'postgres') return
    await db.schema.dropIndex('entries_newest').execute()
    const columns = ['tenant_id', 'created_at', 'id', ...GUARD, ...FILTERED].map((column) => sql.ref(column))
    await sql`create index entries_newest on entries (${sql.join(columns)})`.execute(db)
  }

  return { up }
}
