import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Invitations, links that set a password, mail that waits to be sent, and people who are erased. Users get a ceiling of
 * their own, sessions say where they were opened, and private notes are found by their owner.
 */
export function peopleMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    for (const [table, column, type] of [
      ['users', 'ceiling', 'text'],
      ['users', 'language', 'text'],
      ['users', 'erased_at', 'bigint'],
      ['sessions', 'address', 'text'],
      ['sessions', 'browser', 'text'],
    ] as const) {
      await schema.alterTable(table).addColumn(column, type).execute()
    }

    await schema
      .createTable('invitations')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('email', key, (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('ceiling', 'text')
      .addColumn('hash', key, (c) => c.notNull())
      .addColumn('invited_by_user_id', key)
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('invitations_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('invitations_email', ['tenant_id', 'email'])
      .addForeignKeyConstraint('invitations_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    // A link names no tenant.
    await schema.createIndex('invitations_by_hash').on('invitations').columns(['hash']).execute()
    await schema.createIndex('invitations_by_end').on('invitations').columns(['expires_at']).execute()

    await schema
      .createTable('password_resets')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('user_id', key, (c) => c.notNull())
      .addColumn('hash', key, (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('password_resets_pk', ['tenant_id', 'user_id'])
      .addForeignKeyConstraint('password_resets_user', ['tenant_id', 'user_id'], 'users', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('password_resets_by_hash').on('password_resets').columns(['hash']).execute()
    await schema.createIndex('password_resets_by_end').on('password_resets').columns(['expires_at']).execute()

    await schema
      .createTable('mail_outbox')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('next_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('mail_outbox_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint('mail_outbox_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await schema.createIndex('mail_outbox_by_time').on('mail_outbox').columns(['next_at']).execute()

    await schema
      .createTable('user_erasures')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('user_id', key, (c) => c.notNull())
      .addColumn('begun_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('user_erasures_pk', ['tenant_id', 'user_id'])
      .addForeignKeyConstraint('user_erasures_user', ['tenant_id', 'user_id'], 'users', ['tenant_id', 'id'])
      .execute()

    for (const statement of [
      sql`create index entries_personal on entries (tenant_id, created_by_user_id) where visibility = 'personal'`,
      sql`create index binned_personal on binned_entries (tenant_id, created_by_user_id) where visibility = 'personal'`,
      sql`create index entry_versions_personal on entry_versions (tenant_id, entry_id) where visibility = 'personal'`,
      sql`create index binned_versions_personal on binned_entry_versions (tenant_id, entry_id)
        where visibility = 'personal'`,
    ]) {
      await statement.execute(db)
    }
  }

  return { up }
}
