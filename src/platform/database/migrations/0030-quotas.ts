import type { Kysely } from 'kysely'

/** What operators bound tenants to: the quotas as JSON, text written since it was last counted, and the pause of embedding. */
export function quotasMigration() {
  async function up({ schema }: Kysely<unknown>): Promise<void> {
    await schema.alterTable('tenants').addColumn('quotas', 'text').execute()
    await schema
      .alterTable('tenants')
      .addColumn('grown_bytes', 'bigint', (c) => c.notNull().defaultTo(0))
      .execute()
    await schema.alterTable('tenants').addColumn('embedding_paused_until', 'bigint').execute()
  }

  return { up }
}
