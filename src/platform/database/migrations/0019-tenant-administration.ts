import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * What administrators of a tenant need to run it without a shell: what a change of settings was, a number for each state
 * of the settings, and how people of an outside provider become users.
 */
export function tenantAdministrationMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up({ schema }: Kysely<unknown>): Promise<void> {
    await schema.alterTable('audit_log').addColumn('details', 'text').execute()
    await schema
      .alterTable('tenants')
      .addColumn('settings_version', 'bigint', (c) => c.notNull().defaultTo(1))
      .execute()
    await schema.alterTable('user_identities').addColumn('left_at', 'bigint').execute()
    await schema
      .createTable('sign_in_rules')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('version', 'bigint', (c) => c.notNull())
      .addColumn('rules', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('sign_in_rules_pk', ['tenant_id'])
      .addForeignKeyConstraint('sign_in_rules_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
  }

  return { up }
}
