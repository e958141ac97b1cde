import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Operators, who stand above tenants: their credentials, the audit log of the installation, and what becomes of
 * tenants. Rows that belong to no tenant have the tenant `*`. Of a removed tenant its id stays, so that nobody gets an
 * id that indexes and caches of running processes may still know.
 */
export function operatorsMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    for (const column of ['suspended_at', 'remove_at', 'removing_at'])
      await schema.alterTable('tenants').addColumn(column, 'bigint').execute()
    await schema.alterTable('tenants').addColumn('reference', key).execute()
    await sql`create index tenants_by_reference on tenants (reference) where reference is not null`.execute(db)
    // Few tenants are suspended, and background work asks for them all the time.
    await sql`create index tenants_suspended on tenants (tenant_id) where suspended_at is not null`.execute(db)
    await schema
      .createTable('operators')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('hash', key, (c) => c.notNull())
      .addColumn('hint', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addPrimaryKeyConstraint('operators_pk', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('operators_by_hash').on('operators').columns(['hash']).execute()
    await schema
      .createTable('operator_log')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('resource_type', 'text', (c) => c.notNull())
      .addColumn('resource_id', key, (c) => c.notNull())
      .addColumn('operator_id', key)
      .addColumn('source', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('operator_log_pk', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('operator_log_newest').on('operator_log').columns(['tenant_id', 'at', 'id']).execute()
    await schema
      .createTable('removed_tenants')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('removed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('removed_tenants_pk', ['tenant_id'])
      .execute()
    await schema
      .createTable('tenant_usage')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('counted_at', 'bigint', (c) => c.notNull())
      .addColumn('watermark', 'bigint', (c) => c.notNull())
      .addColumn('entries', 'bigint', (c) => c.notNull())
      .addColumn('products', 'bigint', (c) => c.notNull())
      .addColumn('passages', 'bigint', (c) => c.notNull())
      .addColumn('bytes', 'bigint', (c) => c.notNull())
      .addColumn('users', 'bigint', (c) => c.notNull())
      .addColumn('keys', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('tenant_usage_pk', ['tenant_id'])
      .addForeignKeyConstraint('tenant_usage_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await schema
      .createTable('usage_days')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('day', key, (c) => c.notNull())
      .addColumn('searches', 'bigint', (c) => c.notNull())
      .addColumn('tokens', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('usage_days_pk', ['tenant_id', 'day'])
      .addForeignKeyConstraint('usage_days_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
  }

  return { up }
}
