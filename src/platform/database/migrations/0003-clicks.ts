import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** The search log, what was clicked in it, and what was learnt from that. */
export function clicksMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    await schema
      .createTable('search_log')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('section', key, (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('site_id', key)
      .addColumn('mode', 'text', (c) => c.notNull())
      .addColumn('query', 'text')
      .addColumn('query_key', key)
      .addColumn('page_offset', 'bigint', (c) => c.notNull())
      .addColumn('hits', 'bigint', (c) => c.notNull())
      .addColumn('shown', 'text', (c) => c.notNull())
      .addColumn('user_id', key)
      .addColumn('client_id', 'text')
      .addColumn('duration_ms', sql`double precision`, (c) => c.notNull())
      .addColumn('clicks', 'bigint', (c) => c.notNull())
      .addColumn('first_rank', 'bigint')
      .addPrimaryKeyConstraint('search_log_pk', ['tenant_id', 'id', 'section'])
      .addForeignKeyConstraint('search_log_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    // Both indexes hold all that the analytics count, so that a million rows are counted without reading them.
    await schema
      .createIndex('search_log_by_time')
      .on('search_log')
      .columns(['tenant_id', 'at', 'section', 'site_id', 'page_offset', 'hits', 'clicks', 'first_rank'])
      .execute()
    await schema
      .createIndex('search_log_by_query')
      .on('search_log')
      .columns(['tenant_id', 'query_key', 'at', 'section', 'site_id', 'page_offset', 'hits', 'clicks'])
      .execute()

    await schema
      .createTable('search_clicks')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('search_log_id', key, (c) => c.notNull())
      .addColumn('search_known', 'bigint', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('product_id', key, (c) => c.notNull())
      .addColumn('section', key, (c) => c.notNull())
      .addColumn('rank', 'bigint', (c) => c.notNull())
      .addColumn('score', sql`double precision`, (c) => c.notNull())
      .addColumn('shown_rank', 'bigint')
      .addColumn('site_id', key)
      .addColumn('user_id', key)
      .addColumn('client_id', 'text')
      .addPrimaryKeyConstraint('search_clicks_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint('search_clicks_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await schema
      .createIndex('search_clicks_by_time')
      .on('search_clicks')
      .columns(['tenant_id', 'at', 'section', 'site_id', 'product_id', 'action'])
      .execute()
    await schema
      .createIndex('search_clicks_by_search')
      .on('search_clicks')
      .columns(['tenant_id', 'search_log_id'])
      .execute()

    await schema
      .createTable('click_boosts')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('site_id', key, (c) => c.notNull())
      .addColumn('query_key', key, (c) => c.notNull())
      .addColumn('product_id', key, (c) => c.notNull())
      .addColumn('clicks', sql`double precision`, (c) => c.notNull())
      .addColumn('expected_clicks', sql`double precision`, (c) => c.notNull())
      .addColumn('boost', sql`double precision`, (c) => c.notNull())
      .addColumn('computed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('click_boosts_pk', ['tenant_id', 'site_id', 'query_key', 'product_id'])
      .addForeignKeyConstraint('click_boosts_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
  }

  return { up }
}
