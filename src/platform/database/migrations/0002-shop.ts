import { type Kysely, sql } from 'kysely'
import { newId } from '../../ids.ts'
import { columnTypes } from '../columns.ts'
import type { DialectName } from '../portable.ts'
import type { Tables } from '../tables.ts'

/** Sites, what is assigned to them, products and their vectors. */
export function shopMigration(dialect: DialectName) {
  const { key, bytes } = columnTypes(dialect)

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    await schema
      .createTable('sites')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('slug', key, (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('domain', 'text')
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('site_type', 'text', (c) => c.notNull())
      .addColumn('platform', 'text')
      .addColumn('config', 'text', (c) => c.notNull())
      .addColumn('is_default', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('sites_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('sites_slug', ['tenant_id', 'slug'])
      .addForeignKeyConstraint('sites_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await schema
      .createIndex('sites_default')
      .unique()
      .on('sites')
      .columns(['tenant_id'])
      .where(sql.ref('is_default'), '=', sql.lit(1))
      .execute()
    await addDefaultSites(db)

    await schema
      .createTable('site_entries')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('site_id', key, (c) => c.notNull())
      .addColumn('entry_id', key, (c) => c.notNull())
      .addPrimaryKeyConstraint('site_entries_pk', ['tenant_id', 'site_id', 'entry_id'])
      .addForeignKeyConstraint('site_entries_site', ['tenant_id', 'site_id'], 'sites', ['tenant_id', 'id'], (f) =>
        f.onDelete('cascade'),
      )
      .addForeignKeyConstraint('site_entries_entry', ['tenant_id', 'entry_id'], 'entries', ['tenant_id', 'id'], (f) =>
        f.onDelete('cascade'),
      )
      .execute()
    await schema.createIndex('site_entries_by_entry').on('site_entries').columns(['tenant_id', 'entry_id']).execute()

    await schema
      .createTable('products')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('site_id', key, (c) => c.notNull())
      .addColumn('external_id', key)
      .addColumn('title', 'text', (c) => c.notNull())
      .addColumn('description', 'text')
      .addColumn('short_description', 'text')
      .addColumn('sku', key)
      .addColumn('gtin', key)
      .addColumn('brand', 'text')
      .addColumn('category', 'text')
      .addColumn('attributes', 'text', (c) => c.notNull())
      .addColumn('properties', 'text', (c) => c.notNull())
      .addColumn('price_current', 'text')
      .addColumn('price_msrp', 'text')
      .addColumn('price_special', 'text')
      .addColumn('price_on_request', 'bigint', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('image_url', 'text')
      .addColumn('additional_images', 'text', (c) => c.notNull())
      .addColumn('product_url', 'text')
      .addColumn('availability', 'text')
      .addColumn('rating_average', 'text')
      .addColumn('rating_count', 'bigint', (c) => c.notNull())
      .addColumn('language', 'text', (c) => c.notNull())
      .addColumn('translation_group_id', key)
      .addColumn('parent_external_id', key)
      .addColumn('parent_product_id', key)
      .addColumn('is_variant', 'bigint', (c) => c.notNull())
      .addColumn('is_parent', 'bigint', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('sync_hash', 'text')
      .addColumn('similarity_text', 'text')
      .addColumn('search_keywords', 'text', (c) => c.notNull())
      .addColumn('embedding_text_description', 'text')
      .addColumn('embedding_text_properties', 'text')
      .addColumn('embedding_text_attributes', 'text')
      .addColumn('embedding_model', 'text')
      .addColumn('revision', 'bigint', (c) => c.notNull())
      .addColumn('last_synced_at', 'bigint')
      .addColumn('sync_run', key)
      .addColumn('retired_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('products_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('products_external', ['tenant_id', 'site_id', 'external_id'])
      .addForeignKeyConstraint('products_site', ['tenant_id', 'site_id'], 'sites', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('products_newest').on('products').columns(['tenant_id', 'created_at', 'id']).execute()
    await schema
      .createIndex('products_by_site')
      .on('products')
      .columns(['tenant_id', 'site_id', 'created_at', 'id'])
      .execute()
    await schema.createIndex('products_by_seq').on('products').columns(['tenant_id', 'seq']).execute()
    await schema
      .createIndex('products_by_parent')
      .on('products')
      .columns(['tenant_id', 'site_id', 'parent_external_id'])
      .execute()

    await schema
      .createTable('product_tombstones')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('product_id', key, (c) => c.notNull())
      .addColumn('seq', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('product_tombstones_pk', ['tenant_id', 'product_id'])
      .addForeignKeyConstraint('product_tombstones_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()
    await schema
      .createIndex('product_tombstones_by_seq')
      .on('product_tombstones')
      .columns(['tenant_id', 'seq'])
      .execute()

    await schema
      .createTable('product_vectors')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('product_id', key, (c) => c.notNull())
      .addColumn('model', key, (c) => c.notNull())
      .addColumn('vectors', bytes, (c) => c.notNull())
      .addColumn('similarity', bytes)
      .addPrimaryKeyConstraint('product_vectors_pk', ['tenant_id', 'product_id', 'model'])
      .addForeignKeyConstraint(
        'product_vectors_product',
        ['tenant_id', 'product_id'],
        'products',
        ['tenant_id', 'id'],
        (f) => f.onDelete('cascade'),
      )
      .execute()
    await schema
      .createIndex('product_vectors_by_model')
      .on('product_vectors')
      .columns(['tenant_id', 'model', 'product_id'])
      .execute()
  }

  return { up }
}

/** Written out here rather than taken from the domain: a released migration never changes. */
async function addDefaultSites(db: Kysely<Tables>): Promise<void> {
  const tenants = await db.selectFrom('tenants').select(['tenant_id', 'settings']).execute()
  for (const { tenant_id, settings } of tenants) {
    const { language = 'de' } = JSON.parse(settings) as { language?: string }
    await db
      .insertInto('sites')
      .values({
        tenant_id,
        id: newId(),
        slug: 'default',
        name: 'Default',
        domain: null,
        language,
        site_type: 'website',
        platform: null,
        config: '{}',
        is_default: 1,
        created_at: Date.now(),
      })
      .execute()
  }
}
