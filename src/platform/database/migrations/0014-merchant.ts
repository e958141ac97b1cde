import { type Kysely, sql } from 'kysely'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'

/**
 * Further barcodes of products, what parents have in stock by their variants, and merchandising: the rules of sites, and for each tenant its synonyms, its stop words
 * and the number of their last change.
 */
export function merchantMigration(dialect: DialectName) {
  const { key } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    await schema
      .alterTable('products')
      .addColumn('gtins', 'text', (c) => c.notNull().defaultTo(sql.lit('[]')))
      .execute()
    await schema.alterTable('products').addColumn('variants_availability', 'text').execute()
    // As `variant-stock-store.ts` keeps it from now on.
    await sql`
      update products set variants_availability = (
        select min(v.availability) from products as v
        where v.tenant_id = products.tenant_id and v.site_id = products.site_id
          and v.parent_external_id = products.external_id and v.parent_product_id = products.id
          and v.retired_at is null
          and replace(replace(lower(v.availability), ' ', ''), '_', '')
            in ('instock', 'limitedavailability', 'onlineonly', 'instoreonly'))
      where external_id is not null`.execute(db)
    await schema
      .createTable('merchandising')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addColumn('synonyms', 'text', (c) => c.notNull())
      .addColumn('stop_words', 'text', (c) => c.notNull())
      .addPrimaryKeyConstraint('merchandising_pk', ['tenant_id'])
      .addForeignKeyConstraint('merchandising_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await schema
      .createTable('merchandising_rules')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('site_id', key, (c) => c.notNull())
      .addColumn('definition', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('merchandising_rules_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint(
        'merchandising_rules_site',
        ['tenant_id', 'site_id'],
        'sites',
        ['tenant_id', 'id'],
        (f) => f.onDelete('cascade'),
      )
      .execute()
    await schema
      .createIndex('merchandising_rules_by_site')
      .on('merchandising_rules')
      .columns(['tenant_id', 'site_id', 'id'])
      .execute()
  }

  return { up }
}
