import type { Kysely } from 'kysely'

/** The dates between which a special price is in force; without them it always is. */
export function specialPricesMigration() {
  async function up({ schema }: Kysely<unknown>): Promise<void> {
    // One column at a time: SQLite adds no two at once.
    await schema.alterTable('products').addColumn('price_special_from', 'bigint').execute()
    await schema.alterTable('products').addColumn('price_special_until', 'bigint').execute()
  }

  return { up }
}
