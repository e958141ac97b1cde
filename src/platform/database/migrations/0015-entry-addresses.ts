import type { Kysely } from 'kysely'

/** Where the page of an entry is published, and an index that finds a category by its name below its parent. */
export function entryAddressesMigration() {
  async function up({ schema }: Kysely<unknown>): Promise<void> {
    await schema.alterTable('entries').addColumn('url', 'text').execute()
    await schema
      .createIndex('categories_by_name')
      .on('categories')
      .columns(['tenant_id', 'parent_id', 'name'])
      .execute()
  }

  return { up }
}
