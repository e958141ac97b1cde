import { parseList, parseObject } from '../../platform/database/json-text.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import type { Product, ProductSource, WholeProduct } from './contract.ts'
import { effectivePrice } from './price.ts'

/** Returns a product as answers show it, with its price of this moment. */
export function productOf(row: ProductRow): Product {
  return {
    id: row.id,
    tenant_id: row.tenant_id,
    site_id: row.site_id,
    external_id: row.external_id,
    title: row.title,
    description: row.description,
    short_description: row.short_description,
    sku: row.sku,
    gtin: row.gtin,
    ...(row.gtins === '[]' ? {} : { gtins: parseList(row.gtins) }),
    brand: row.brand,
    category: row.category,
    attributes: parseObject(row.attributes),
    properties: parseObject(row.properties),
    price_current: row.price_current,
    price_msrp: row.price_msrp,
    price_special: row.price_special,
    price_special_from: timeOf(row.price_special_from),
    price_special_until: timeOf(row.price_special_until),
    price_effective: effectivePrice(row, Date.now()),
    price_on_request: row.price_on_request === 1,
    currency: row.currency,
    image_url: row.image_url,
    additional_images: parseList(row.additional_images),
    product_url: row.product_url,
    availability: row.availability,
    rating_average: row.rating_average,
    rating_count: row.rating_count,
    language: row.language,
    translation_group_id: row.translation_group_id,
    parent_product_id: row.parent_product_id,
    is_variant: row.is_variant === 1,
    is_parent: row.is_parent === 1,
    source: row.source as ProductSource,
    version: row.revision,
    sync_hash: row.sync_hash,
    last_synced_at: timeOf(row.last_synced_at),
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
    search_keywords: parseList(row.search_keywords),
    has_similarity_anchor: hasText(row.similarity_text),
  }
}

/** Returns a product with everything that a write takes. */
export function wholeProductOf(row: ProductRow): WholeProduct {
  const { parent_external_id, similarity_text } = row
  const { embedding_text_description, embedding_text_properties, embedding_text_attributes } = row
  return {
    ...productOf(row),
    parent_external_id,
    similarity_text,
    embedding_text_description,
    embedding_text_properties,
    embedding_text_attributes,
  }
}

/** Columns that a row must have to become a product, without values. */
const NO_VALUES: Partial<ProductRow> = {
  gtins: '[]',
  attributes: '{}',
  properties: '{}',
  additional_images: '[]',
  search_keywords: '[]',
  price_special: null,
  price_special_from: null,
  price_special_until: null,
  last_synced_at: null,
  similarity_text: null,
  created_at: 0,
  updated_at: 0,
}

/** Columns of fields that are not made of the column of the same name. */
const COLUMNS: Partial<Record<keyof Product, readonly (keyof ProductRow)[]>> = {
  price_effective: ['price_current', 'price_special', 'price_special_from', 'price_special_until'],
  has_similarity_anchor: ['similarity_text'],
  version: ['revision'],
}

/** Returns the columns that fields of a product are made of. */
export function columnsOf(fields: readonly (keyof Product)[]): (keyof ProductRow)[] {
  return fields.flatMap((field) => COLUMNS[field] ?? [field as keyof ProductRow])
}

/** Returns fields of a product. @param row has at least the columns of `columnsOf` */
export function partOf(row: Partial<ProductRow>, fields: readonly (keyof Product)[]): Partial<Product> {
  const whole = productOf({ ...NO_VALUES, ...row } as ProductRow)
  return Object.fromEntries(fields.map((field) => [field, whole[field]]))
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** Tells whether the text has more than white space. */
export function hasText(text: string | null): text is string {
  return text !== null && text.trim() !== ''
}
