import type { Kysely } from 'kysely'

/** The dates of a special price; without dates it always applies. */
export function specialPricesMigration() {
  async function up({ schema }: Kysely<unknown>): Promise<void> {
    // One column at a time: SQLite cannot add two at once.
    await schema.alterTable('products').addColumn('price_special_from', 'bigint').execute()
    await schema.alterTable('products').addColumn('price_special_until', 'bigint').execute()
  }

  return { up }
}
