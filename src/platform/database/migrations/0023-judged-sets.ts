import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/** Sets of queries with judged hits, and what runs of them measured. */
export function judgedSetsMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up({ schema }: Kysely<unknown>): Promise<void> {
    await schema
      .createTable('judged_sets')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('section', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('judged_sets_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint('judged_sets_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await schema
      .createTable('judged_queries')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('set_id', key, (c) => c.notNull())
      .addColumn('query', key, (c) => c.notNull())
      .addColumn('judgments', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('judged_queries_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('judged_queries_once', ['tenant_id', 'set_id', 'query'])
      .addForeignKeyConstraint('judged_queries_set', ['tenant_id', 'set_id'], 'judged_sets', ['tenant_id', 'id'], (f) =>
        f.onDelete('cascade'),
      )
      .execute()
    await schema
      .createTable('judged_runs')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('set_id', key, (c) => c.notNull())
      .addColumn('state', 'text', (c) => c.notNull())
      .addColumn('ceiling', 'text', (c) => c.notNull())
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('done', 'integer', (c) => c.notNull())
      .addColumn('total', 'integer', (c) => c.notNull())
      .addColumn('ndcg', 'double precision')
      .addColumn('first_right', 'double precision')
      .addColumn('results', 'text', (c) => c.notNull())
      .addColumn('started_at', 'bigint', (c) => c.notNull())
      .addColumn('renewed_at', 'bigint', (c) => c.notNull())
      .addColumn('finished_at', 'bigint')
      .addPrimaryKeyConstraint('judged_runs_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint('judged_runs_set', ['tenant_id', 'set_id'], 'judged_sets', ['tenant_id', 'id'], (f) =>
        f.onDelete('cascade'),
      )
      .execute()
    await schema
      .createIndex('judged_queries_by_set')
      .on('judged_queries')
      .columns(['tenant_id', 'set_id', 'id'])
      .execute()
    await schema.createIndex('judged_runs_by_set').on('judged_runs').columns(['tenant_id', 'set_id', 'id']).execute()
  }

  return { up }
}
