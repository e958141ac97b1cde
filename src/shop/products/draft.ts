import { PRODUCT_TEXTS } from '../../platform/database/product-rows.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { newId } from '../../platform/ids.ts'
import { sameSearchedText } from './indexing/index-source.ts'
import { CURRENCY_DEFAULT, type ProductSource, type ProductWrite } from './contract.ts'
import type { ProductPatch } from './patch-contract.ts'

/** Columns that the service sets. The shop's feed or request sets the others. */
type ServiceColumn =
  | 'tenant_id'
  | 'id'
  | 'site_id'
  | 'parent_product_id'
  | 'variants_availability'
  | 'translation_group_id'
  | 'embedding_model'
  | 'revision'
  | 'last_synced_at'
  | 'sync_run'
  | 'retired_at'
  | 'created_at'
  | 'updated_at'
  | 'seq'
  | 'text_seq'

/** Product before it is stored, with defaults for absent fields. */
export type ProductDraft = Omit<ProductRow, ServiceColumn>

/**
 * Most characters of a stored `parent_external_id`, so that it fits an index key. It is one more than an `external_id`
 * may have, so that a cut one is no product's.
 */
const PARENT_CHARACTERS_MAX = 201

/** Fields of a draft. Null counts as absent. */
type DraftInput = Pick<ProductWrite, 'title' | 'language'> & ProductPatch

/** Makes a draft of an input: an absent field becomes null or empty, as the table stores it. */
export function draftOf(input: DraftInput, source: ProductSource): ProductDraft {
  return {
    external_id: input.external_id ?? null,
    title: input.title,
    description: input.description ?? null,
    short_description: input.short_description ?? null,
    sku: input.sku ?? null,
    gtin: input.gtin ?? null,
    gtins: JSON.stringify(input.gtins ?? []),
    brand: input.brand ?? null,
    category: input.category ?? null,
    attributes: JSON.stringify(input.attributes ?? {}),
    properties: JSON.stringify(input.properties ?? {}),
    price_current: input.price_current ?? null,
    price_msrp: input.price_msrp ?? null,
    price_special: input.price_special ?? null,
    price_special_from: timeOf(input.price_special_from),
    price_special_until: timeOf(input.price_special_until),
    price_on_request: input.price_on_request === true ? 1 : 0,
    currency: input.currency ?? CURRENCY_DEFAULT,
    image_url: input.image_url ?? null,
    additional_images: JSON.stringify(input.additional_images ?? []),
    product_url: input.product_url ?? null,
    availability: input.availability ?? null,
    rating_average: input.rating_average ?? null,
    rating_count: input.rating_count ?? 0,
    language: input.language,
    parent_external_id: cut(input.parent_external_id ?? null),
    is_variant: input.is_variant === true ? 1 : 0,
    is_parent: input.is_parent === true ? 1 : 0,
    source,
    sync_hash: input.sync_hash ?? null,
    similarity_text: input.similarity_text ?? null,
    search_keywords: JSON.stringify(input.search_keywords ?? []),
    embedding_text_description: input.embedding_text_description ?? null,
    embedding_text_properties: input.embedding_text_properties ?? null,
    embedding_text_attributes: input.embedding_text_attributes ?? null,
  }
}

function timeOf(time: string | null | undefined): number | null {
  return time === null || time === undefined ? null : Date.parse(time)
}

/** Cuts a parent's `external_id` for storing. Responses never include it. */
function cut(name: string | null): string | null {
  if (name === null || name.length <= PARENT_CHARACTERS_MAX) return name
  // A code point has at most two UTF-16 units, so this cut is long enough, and avoids splitting megabytes.
  return Array.from(name.slice(0, 2 * PARENT_CHARACTERS_MAX))
    .slice(0, PARENT_CHARACTERS_MAX)
    .join('')
}

/** Site, time and change to which the write of a product belongs. */
export interface WriteFacts {
  readonly tenantId: string
  readonly siteId: string
  readonly seq: number
  readonly now: number
  /** Id of the full sync that the write belongs to; null for other writes. */
  readonly run: string | null
}

/** Makes the row of a new product. Its parent product and its embedding model are set later. */
export function newRow(draft: ProductDraft, { tenantId, siteId, seq, now, run }: WriteFacts): ProductRow {
  return {
    ...draft,
    tenant_id: tenantId,
    id: newId(),
    site_id: siteId,
    parent_product_id: null,
    variants_availability: null,
    translation_group_id: null,
    embedding_model: null,
    revision: 1,
    last_synced_at: now,
    sync_run: run,
    retired_at: null,
    created_at: now,
    updated_at: now,
    seq,
    text_seq: seq,
  }
}

/** Returns the row with the columns of the draft, all or some. A retired product is no longer retired. */
export function replacedRow(before: ProductRow, draft: Partial<ProductDraft>, facts: WriteFacts): ProductRow {
  const row = {
    ...syncedRow(before, facts),
    ...draft,
    retired_at: null,
    revision: before.revision + 1,
    updated_at: Math.max(facts.now, before.updated_at),
    seq: facts.seq,
  }
  return { ...row, text_seq: sameSearchedText(before, row) ? before.text_seq : facts.seq }
}

/** Returns the row after a sync that changed nothing but the time of the sync. */
export function syncedRow(before: ProductRow, { now, run }: WriteFacts): ProductRow {
  return { ...before, last_synced_at: now, sync_run: run ?? before.sync_run }
}

/** Tells whether the draft would change nothing but the hash of the last sync. */
export function isSame(row: ProductRow, draft: Partial<ProductDraft>): boolean {
  return (Object.keys(draft) as (keyof ProductDraft)[]).every(
    (column) => column === 'sync_hash' || row[column] === draft[column],
  )
}

/** Returns the bytes of text of a product's columns, which count towards the tenant's quota. */
export function textBytesOf(columns: Partial<ProductDraft>): number {
  return PRODUCT_TEXTS.reduce((sum, column) => sum + Buffer.byteLength(columns[column] ?? ''), 0)
}
