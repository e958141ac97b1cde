import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** What decides who sees an entry. */
const GUARD = ['visibility', 'workspace_id', 'created_by_user_id']
/** What a list of entries filters by, beside that. */
const FILTERED = ['expires_at', 'type', 'layer', 'language', 'category_id']

/**
 * Gives every list an index in its own order, so that a page is a walk along a range of it, and entries a table of
 * their tags. On SQLite, where a long text lies between an entry's columns, the walk of entries carries what a filter
 * looks at. The tags refer to no entry by a foreign key: to end with it, they would need a second index as large as
 * the table. `knowledge doctor` checks that the two agree.
 */
export function listWalksMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    const index = async (name: string, table: string, columns: readonly string[], replaced?: string): Promise<void> => {
      if (replaced !== undefined) await schema.dropIndex(replaced).execute()
      const terms = ['tenant_id', ...columns].map((column) => sql.raw(column))
      await sql`create index ${sql.ref(name)} on ${sql.table(table)} (${sql.join(terms)})`.execute(db)
    }

    await index('categories_by_parent', 'categories', ['parent_id', 'id'], 'categories_by_parent')
    await index('categories_below', 'categories', ['parent_id', 'sort_order', 'name', 'id'])
    await index('categories_in_order', 'categories', ['sort_order', 'name', 'id'])
    await index('projects_by_name', 'projects', ['name', 'id'])
    await index('workspaces_by_name', 'workspaces', ['name', 'id'])
    await index('sites_in_order', 'sites', ['is_default desc', 'name', 'id'])
    await index('api_keys_oldest', 'api_keys', ['created_at', 'id'])
    await index('oauth_clients_newest', 'oauth_clients', ['created_at desc', 'id'])

    await index('entries_by_group', 'entries', ['translation_group_id', 'created_at', 'id'], 'entries_by_group')
    if (dialect === 'sqlite') {
      await index('entries_newest', 'entries', ['created_at', 'id', ...GUARD, ...FILTERED], 'entries_newest')
      await index('entries_guard', 'entries', ['id', ...GUARD, 'created_at'], 'entries_guard')
    }
    await createTags()

    async function createTags(): Promise<void> {
      await schema
        .createTable('entry_tags')
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('tag', key, (c) => c.notNull())
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('entry_id', key, (c) => c.notNull())
        .addPrimaryKeyConstraint('entry_tags_pk', ['tenant_id', 'tag', 'created_at', 'entry_id'])
        .$call((table) => (dialect === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table))
        .execute()
      const tags =
        dialect === 'postgres' ? sql`json_array_elements_text(e.tags::json) as t(value)` : sql`json_each(e.tags) as t`
      await sql`
        insert into entry_tags (tenant_id, tag, created_at, entry_id)
        select distinct e.tenant_id, t.value, e.created_at, e.id from entries e cross join ${tags} order by 1, 2, 3, 4
      `.execute(db)
    }
  }

  return { up }
}
