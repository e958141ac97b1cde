import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** Pushes of products to a site, with what each of them changed. */
export function productSyncRunsMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up({ schema }: Kysely<unknown>): Promise<void> {
    let table = schema
      .createTable('product_sync_runs')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('site_id', key, (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('is_full', 'integer', (c) => c.notNull())
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('seen_at', 'bigint', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
    for (const count of ['created', 'updated', 'unchanged', 'failed', 'retired', 'not_retired'])
      table = table.addColumn(count, 'integer', (c) => c.notNull())
    await table
      .addColumn('refusal', 'text')
      .addColumn('reason', 'text')
      .addColumn('failures', 'text', (c) => c.notNull())
      .addColumn('channel', 'text', (c) => c.notNull())
      .addColumn('credential_kind', 'text')
      .addColumn('credential_id', 'text')
      .addColumn('user_id', 'text')
      .addPrimaryKeyConstraint('product_sync_runs_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint('product_sync_runs_site', ['tenant_id', 'site_id'], 'sites', ['tenant_id', 'id'], (f) =>
        f.onDelete('cascade'),
      )
      .execute()
    await schema
      .createIndex('product_sync_runs_by_site')
      .on('product_sync_runs')
      .columns(['tenant_id', 'site_id', 'is_full', 'id'])
      .execute()
  }

  return { up }
}
