import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Which account and session at an outside provider a sign-in came from, so that the provider can end it, and the logout
 * tokens that were used. A token is of no one tenant, so its row has the tenant `*` and no foreign key.
 */
export function providerLogoutMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up({ schema }: Kysely<unknown>): Promise<void> {
    for (const table of ['sessions', 'sign_in_steps']) {
      for (const column of ['provider_issuer', 'provider_subject', 'provider_sid']) {
        await schema.alterTable(table).addColumn(column, key).execute()
      }
      for (const column of ['provider_subject', 'provider_sid']) {
        await schema.createIndex(`${table}_by_${column}`).on(table).columns([column]).execute()
      }
    }
    await schema
      .createTable('used_logout_tokens')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('hash', key, (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('used_logout_tokens_pk', ['tenant_id', 'hash'])
      .execute()
    await schema.createIndex('used_logout_tokens_by_end').on('used_logout_tokens').columns(['expires_at']).execute()
  }

  return { up }
}
