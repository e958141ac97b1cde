import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Who searched and clicked, as hashes, and the salts of the hashes. The index has only searches that learning may use.
 * Earlier results of learning came from clicks without visitors, so they are deleted.
 */
export function visitorsMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    await schema.alterTable('search_log').addColumn('visitor', key).execute()
    for (const column of ['visitor', 'network']) {
      await schema.alterTable('search_clicks').addColumn(column, key).execute()
    }
    await schema
      .createTable('visitor_salts')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('period', 'bigint', (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('visitor_salts_pk', ['tenant_id', 'period'])
      .addForeignKeyConstraint('visitor_salts_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await sql`
      create index search_log_by_visitor
      on search_log (tenant_id, section, site_id, query_key, at, id, user_id, visitor)
      where clicks > 0 and coalesce(user_id, visitor) is not null`.execute(db)
    await sql`delete from click_boosts`.execute(db)
  }

  return { up }
}
