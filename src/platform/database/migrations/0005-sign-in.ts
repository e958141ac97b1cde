import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Passwords, people's sessions, and the OAuth server's data: clients, grants, codes, tokens and signing keys. Data
 * without a tenant (an authorization before anybody has signed in, a self-registered client) has the tenant `*`, which
 * is no valid tenant name; so these tables have no foreign key to tenants.
 */
export function signInMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    // A sign-in names an address, and perhaps no tenant.
    await schema.createIndex('users_by_email').on('users').columns(['email']).execute()
    await schema
      .createTable('user_passwords')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('user_id', key, (c) => c.notNull())
      .addColumn('hash', 'text', (c) => c.notNull())
      .addColumn('changed_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('user_passwords_pk', ['tenant_id', 'user_id'])
      .addForeignKeyConstraint('user_passwords_user', ['tenant_id', 'user_id'], 'users', ['tenant_id', 'id'])
      .execute()

    await schema
      .createTable('user_identities')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('issuer', key, (c) => c.notNull())
      .addColumn('subject', key, (c) => c.notNull())
      .addColumn('user_id', key, (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('user_identities_pk', ['tenant_id', 'issuer', 'subject'])
      .addForeignKeyConstraint('user_identities_user', ['tenant_id', 'user_id'], 'users', ['tenant_id', 'id'])
      .execute()
    await schema
      .createIndex('user_identities_by_subject')
      .on('user_identities')
      .columns(['subject', 'issuer'])
      .execute()

    await schema
      .createTable('sessions')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('hash', key, (c) => c.notNull())
      .addColumn('user_id', key, (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('sessions_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('sessions_hash', ['tenant_id', 'hash'])
      .addForeignKeyConstraint('sessions_user', ['tenant_id', 'user_id'], 'users', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('sessions_by_hash').on('sessions').columns(['hash']).execute()
    await schema.createIndex('sessions_by_user').on('sessions').columns(['tenant_id', 'user_id']).execute()
    await schema.createIndex('sessions_by_end').on('sessions').columns(['expires_at']).execute()

    await schema
      .createTable('oauth_clients')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('registration', 'text', (c) => c.notNull())
      .addColumn('metadata', 'text', (c) => c.notNull())
      .addColumn('secret_hash', 'text')
      .addColumn('management_hash', 'text')
      .addColumn('scopes_max', 'text', (c) => c.notNull())
      .addColumn('user_id', key)
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .addPrimaryKeyConstraint('oauth_clients_pk', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('oauth_clients_by_id').on('oauth_clients').columns(['id']).execute()

    await schema
      .createTable('oauth_records')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('kind', key, (c) => c.notNull())
      .addColumn('hash', key, (c) => c.notNull())
      .addColumn('payload', 'text', (c) => c.notNull())
      .addColumn('uid', key)
      .addColumn('grant_id', key)
      .addColumn('client_id', key)
      .addColumn('user_id', key)
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('audience', 'text')
      .addColumn('consumed_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addPrimaryKeyConstraint('oauth_records_pk', ['tenant_id', 'kind', 'hash'])
      .execute()
    const recordIndex = (name: string, columns: readonly string[]) =>
      schema
        .createIndex(`oauth_records_by_${name}`)
        .on('oauth_records')
        .columns([...columns])
        .execute()
    await recordIndex('hash', ['hash'])
    await recordIndex('uid', ['uid'])
    await recordIndex('grant', ['grant_id'])
    await recordIndex('client', ['tenant_id', 'client_id'])
    await recordIndex('end', ['expires_at'])

    await schema
      .createTable('oauth_signing_keys')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('sealed', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('oauth_signing_keys_pk', ['tenant_id', 'id'])
      .execute()
  }

  return { up }
}
