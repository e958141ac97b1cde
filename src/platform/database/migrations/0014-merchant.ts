import { type Kysely, sql } from 'kysely'

/** Further barcodes of products. */
export function merchantMigration() {
  async function up({ schema }: Kysely<unknown>): Promise<void> {
    await schema
      .alterTable('products')
      .addColumn('gtins', 'text', (c) => c.notNull().defaultTo(sql.lit('[]')))
      .execute()
  }

  return { up }
}
