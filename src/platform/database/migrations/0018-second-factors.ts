import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Second factors of people who sign in: authenticator apps, passkeys and recovery codes, the second steps of sign-ins
 * that wait for one, and the challenges that passkeys answer. A challenge for somebody unknown has the tenant `*`, so
 * challenges have no foreign key.
 */
export function secondFactorsMigration(dialect: DialectName) {
  const { key, bytes } = columnTypes(dialect)

  async function up({ schema }: Kysely<unknown>): Promise<void> {
    const ofUser = (name: string) =>
      schema
        .createTable(name)
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('user_id', key, (c) => c.notNull())
        .addForeignKeyConstraint(`${name}_user`, ['tenant_id', 'user_id'], 'users', ['tenant_id', 'id'], (c) =>
          c.onDelete('cascade'),
        )

    // Nobody knows any more how a session of before was opened; a password is the weakest way.
    await schema
      .alterTable('sessions')
      .addColumn('strength', 'text', (c) => c.notNull().defaultTo('password'))
      .execute()
    await schema.alterTable('sessions').addColumn('factors_reset_at', 'bigint').execute()

    await ofUser('user_totp')
      .addColumn('sealed', 'text')
      .addColumn('confirmed_at', 'bigint')
      .addColumn('last_step', 'bigint')
      .addColumn('pending_sealed', 'text')
      .addColumn('pending_until', 'bigint')
      .addPrimaryKeyConstraint('user_totp_pk', ['tenant_id', 'user_id'])
      .execute()

    await ofUser('recovery_codes')
      .addColumn('hash', key, (c) => c.notNull())
      .addPrimaryKeyConstraint('recovery_codes_pk', ['tenant_id', 'user_id', 'hash'])
      .execute()

    await ofUser('passkeys')
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('credential_id', key, (c) => c.notNull())
      .addColumn('public_key', bytes, (c) => c.notNull())
      .addColumn('counter', 'bigint', (c) => c.notNull())
      .addColumn('transports', 'text', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('last_used_at', 'bigint')
      .addPrimaryKeyConstraint('passkeys_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('passkeys_credential', ['tenant_id', 'credential_id'])
      .execute()
    await schema.createIndex('passkeys_by_user').on('passkeys').columns(['tenant_id', 'user_id']).execute()
    await schema.createIndex('passkeys_by_credential').on('passkeys').columns(['credential_id']).execute()

    await ofUser('factor_resets')
      .addColumn('reset_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('factor_resets_pk', ['tenant_id', 'user_id'])
      .execute()

    await ofUser('sign_in_steps')
      .addColumn('hash', key, (c) => c.notNull())
      .addColumn('password_changed_at', 'bigint')
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('session_seconds', 'integer', (c) => c.notNull())
      .addPrimaryKeyConstraint('sign_in_steps_pk', ['tenant_id', 'hash'])
      .execute()
    await schema.createIndex('sign_in_steps_by_hash').on('sign_in_steps').columns(['hash']).execute()
    await schema.createIndex('sign_in_steps_by_user').on('sign_in_steps').columns(['tenant_id', 'user_id']).execute()
    await schema.createIndex('sign_in_steps_by_end').on('sign_in_steps').columns(['expires_at']).execute()

    await schema
      .createTable('passkey_challenges')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('purpose', key, (c) => c.notNull())
      .addColumn('bound_to', key, (c) => c.notNull())
      .addColumn('challenge', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('passkey_challenges_pk', ['tenant_id', 'purpose', 'bound_to'])
      .execute()
    await schema.createIndex('passkey_challenges_by_end').on('passkey_challenges').columns(['expires_at']).execute()
  }

  return { up }
}
