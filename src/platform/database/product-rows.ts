// Rows of sites and products. `tables.ts` has the conventions.

export interface SiteRow {
  tenant_id: string
  id: string
  slug: string
  name: string
  domain: string | null
  language: string
  site_type: string
  platform: string | null
  config: string
  /** 1 for exactly one site of a tenant. */
  is_default: number
  created_at: number
}

export interface ProductRow {
  tenant_id: string
  id: string
  site_id: string
  external_id: string | null
  title: string
  description: string | null
  short_description: string | null
  sku: string | null
  gtin: string | null
  /** Further barcodes as a JSON list. */
  gtins: string
  brand: string | null
  category: string | null
  attributes: string
  properties: string
  /** Decimal text with every digit sent. */
  price_current: string | null
  price_msrp: string | null
  price_special: string | null
  /** Milliseconds since 1970. The special price applies between the two times; always when both are null. */
  price_special_from: number | null
  price_special_until: number | null
  price_on_request: number
  currency: string
  image_url: string | null
  additional_images: string
  product_url: string | null
  availability: string | null
  /** Availability of a parent's variant that is in stock; null while none is. */
  variants_availability: string | null
  rating_average: string | null
  rating_count: number
  language: string
  translation_group_id: string | null
  /** External id of the parent, as the sender names it. `parent_product_id` is null until that product exists. */
  parent_external_id: string | null
  parent_product_id: string | null
  is_variant: number
  is_parent: number
  source: string
  sync_hash: string | null
  similarity_text: string | null
  search_keywords: string
  embedding_text_description: string | null
  embedding_text_properties: string | null
  embedding_text_attributes: string | null
  /** Embedder id of the current vectors; null until there are some. */
  embedding_model: string | null
  /** Number of writes that changed the product. */
  revision: number
  last_synced_at: number | null
  /** The last full sync that contained the product. */
  sync_run: string | null
  /** Time at which a full sync first left the product out; null while it is not retired. */
  retired_at: number | null
  created_at: number
  updated_at: number
  /** Watermark of the newest change that search must see. */
  seq: number
  /** Watermark of the newest change of its words or vectors; 0 for one before migration `0002-text-changes`. */
  text_seq: number
}

/** Columns with long texts of callers. They make up the bytes of a tenant. */
export const PRODUCT_TEXTS = [
  'external_id',
  'title',
  'description',
  'short_description',
  'category',
  'attributes',
  'properties',
  'gtins',
  'image_url',
  'additional_images',
  'product_url',
  'similarity_text',
  'search_keywords',
  'embedding_text_description',
  'embedding_text_properties',
  'embedding_text_attributes',
] as const satisfies readonly (keyof ProductRow)[]

export interface ProductVectorsRow {
  tenant_id: string
  product_id: string
  model: string
  /** Vectors of its embedding texts one after the other, little-endian float32. */
  vectors: Buffer
  /** Vector of the similarity text; null when it has none. */
  similarity: Buffer | null
  /**
   * Hashes of the texts that the model has read, eight bytes each, in the order of the vectors, that of the line above
   * last; zeros for a text that waits. Null for a model that embeds within the write.
   */
  text_hashes: Buffer | null
}

/** The words of a tenant's product search. */
export interface MerchandisingRow {
  tenant_id: string
  /** Watermark of the last change of the words or of a rule. */
  seq: number
  /** A JSON list, like the stop words. */
  synonyms: string
  stop_words: string
}

export interface MerchandisingRuleRow {
  tenant_id: string
  id: string
  site_id: string
  /** The rule as JSON, without its id, site and times. */
  definition: string
  created_at: number
  updated_at: number
}

/** A push of products to a site. */
export interface ProductSyncRunRow {
  tenant_id: string
  id: string
  site_id: string
  source: string
  is_full: number
  started_at: number
  /** Time at which the push last stored something, or ended. */
  seen_at: number
  status: string
  created: number
  updated: number
  unchanged: number
  failed: number
  retired: number
  /** Products that a full sync did not name and did not retire. */
  not_retired: number
  /** Reason why products were not retired, as a code; null when there are none. */
  refusal: string | null
  /** The same reason as a sentence. */
  reason: string | null
  /** The first failed lines, as a JSON list. */
  failures: string
  channel: string
  /** Null for the operator's command line, like `credential_id` and `user_id`. */
  credential_kind: string | null
  credential_id: string | null
  user_id: string | null
}
