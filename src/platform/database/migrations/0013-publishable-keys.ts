import type { Kysely } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Keys that pages may contain. The key's row has what the key is bound to, as JSON. Its origins are also rows of their
 * own, because a browser's preflight names an origin and no key.
 */
export function publishableKeysMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up({ schema }: Kysely<unknown>): Promise<void> {
    await schema.alterTable('api_keys').addColumn('publishable', 'text').execute()
    await schema
      .createTable('publishable_origins')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('key_id', key, (c) => c.notNull())
      .addColumn('origin', key, (c) => c.notNull())
      .addPrimaryKeyConstraint('publishable_origins_pk', ['tenant_id', 'key_id', 'origin'])
      .addForeignKeyConstraint('publishable_origins_key', ['tenant_id', 'key_id'], 'api_keys', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('publishable_origins_by_origin').on('publishable_origins').columns(['origin']).execute()
  }

  return { up }
}
