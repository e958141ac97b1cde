import { bulkResult } from '../../platform/lines/bulk-result.ts'
import { PageQuery } from '../../platform/contract/paging.ts'
import {
  Contract,
  DateTime,
  Flag,
  FreeForm,
  Int,
  LanguageFilter,
  LanguageTag,
  ListOf,
  Nullable,
  NullableDecimal,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'
import { MAX_RETIRED_PATTERN } from './bulk/max-retired.ts'
import { GTINS_MAX } from './gtin.ts'

const PRODUCT_SOURCES = ['api', 'import', 'feed'] as const
export type ProductSource = (typeof PRODUCT_SOURCES)[number]

const Language = LanguageTag({ minLength: 2, maxLength: 5 })
const Availability = Type.String({
  maxLength: 50,
  description: "Free text; schema.org's names are recommended, such as InStock, OutOfStock, PreOrder",
})
const text = (maxLength?: number, description?: string) =>
  Type.Optional(Nullable(Type.String(maxLength === undefined ? {} : { maxLength }), { description }))
const price = (description?: string) => Type.Optional(NullableDecimal({ description }))
const Exact = Nullable(Type.String(), { description: 'Decimal text with every digit that you sent' })
const NullableText = Nullable(Type.String())

export const Product = Contract('Product', {
  id: Uuid(),
  tenant_id: Type.String(),
  site_id: Uuid(),
  external_id: NullableText,
  title: Type.String(),
  description: NullableText,
  short_description: NullableText,
  sku: NullableText,
  gtin: NullableText,
  gtins: Type.Optional(ListOf(Type.String(), { description: 'Further barcodes; absent where there are none' })),
  brand: NullableText,
  category: NullableText,
  attributes: FreeForm(),
  properties: FreeForm(),
  price_current: Exact,
  price_msrp: Exact,
  price_special: Exact,
  price_special_from: Nullable(DateTime()),
  price_special_until: Nullable(DateTime()),
  price_effective: Nullable(Type.String(), {
    description: 'The price people pay now: the special price while it is in force, else price_current',
  }),
  price_on_request: Flag(),
  currency: Type.String(),
  image_url: NullableText,
  additional_images: ListOf(Type.String()),
  product_url: NullableText,
  availability: NullableText,
  rating_average: Exact,
  rating_count: Int({ minimum: 0 }),
  language: Type.String(),
  translation_group_id: Nullable(Type.String(), { description: 'Always null: no write names a group' }),
  parent_product_id: Nullable(Type.String(), { description: 'Null until the parent product exists' }),
  is_variant: Flag(),
  is_parent: Flag(),
  source: OneOf(PRODUCT_SOURCES, { description: 'Last written by a single call (api), an import or a bulk feed' }),
  version: Int({ minimum: 1, description: 'Grows with every write that changes the product' }),
  sync_hash: NullableText,
  last_synced_at: Nullable(DateTime()),
  created_at: DateTime(),
  updated_at: DateTime(),
  search_keywords: ListOf(Type.String()),
  has_similarity_anchor: Flag({ description: 'Whether similarity_text was given' }),
})
export type Product = Static<typeof Product>

/** A product in the answers about it alone: all that a write takes can be read here, and sent back. */
export const WholeProduct = Contract('WholeProduct', {
  ...Product.properties,
  parent_external_id: Nullable(Type.String(), {
    description: 'As it was sent; of a longer one, which names no product, the first 201 characters',
  }),
  similarity_text: NullableText,
  embedding_text_description: NullableText,
  embedding_text_properties: NullableText,
  embedding_text_attributes: NullableText,
})
export type WholeProduct = Static<typeof WholeProduct>

export const PRODUCT_FIELDS = Object.keys(Product.properties) as (keyof Product)[]

/** Currency of prices that come without one. */
export const CURRENCY_DEFAULT = 'EUR'

/** The fields that a write of a product may have. */
export const WRITTEN_FIELDS = {
  title: Text(),
  language: Language,
  external_id: text(200, 'The id of the product in the shop. An existing product with this id is replaced'),
  description: text(),
  short_description: text(),
  sku: text(100),
  gtin: text(50, 'Barcode (GTIN, EAN)'),
  gtins: Type.Optional(
    ListOf(Text({ maxLength: 50 }), {
      maxItems: GTINS_MAX,
      description: 'Further barcodes of the product. Search finds it by each of them, with or without leading zeros',
    }),
  ),
  brand: text(200),
  category: text(),
  attributes: Type.Optional(FreeForm()),
  properties: Type.Optional(FreeForm()),
  price_current: price('A JSON number or decimal text; kept exactly'),
  price_msrp: price(),
  price_special: price('Applies between its dates. 0 means no special price'),
  price_special_from: Type.Optional(
    Nullable(DateTime({ description: 'First moment of the special price. Absent: no start' })),
  ),
  price_special_until: Type.Optional(
    Nullable(DateTime({ description: 'Last moment of the special price. Absent: no end' })),
  ),
  price_on_request: Type.Optional(Flag({ default: false })),
  currency: Type.Optional(Type.String({ maxLength: 3, default: CURRENCY_DEFAULT })),
  image_url: text(),
  additional_images: Type.Optional(ListOf(Type.String())),
  product_url: text(),
  availability: Type.Optional(Nullable(Availability)),
  rating_average: Type.Optional(NullableDecimal({ maximum: '5' })),
  rating_count: Type.Optional(Int({ minimum: 0, default: 0 })),
  parent_external_id: text(undefined, 'For variants: external_id of the parent product, which may arrive later'),
  is_variant: Type.Optional(Flag({ default: false, description: 'True for concrete variants' })),
  is_parent: Type.Optional(Flag({ default: false, description: 'True for abstract parents with variants' })),
  similarity_text: text(undefined, 'Text to find similar products by'),
  search_keywords: Type.Optional(
    ListOf(Type.String(), { description: 'Synonyms. They boost keyword matches and do not affect semantic search' }),
  ),
  embedding_text_description: text(undefined, 'Absent: made from title and description'),
  embedding_text_properties: text(undefined, 'Absent: made from title and properties'),
  embedding_text_attributes: text(undefined, 'Absent: made from title and attributes'),
  sync_hash: text(64, 'If it is the same as in the last sync, only last_synced_at changes'),
}

/** Fields of an answer that no write sets. A client that sends back what it read has them too. */
export const READ_ONLY_FIELDS = Object.keys(WholeProduct.properties).filter((name) => !(name in WRITTEN_FIELDS))

const WRITE_OPTIONS = {
  'x-read-only': READ_ONLY_FIELDS,
  description:
    'Takes back what a GET answers: a null that a GET gives counts as absent, and the fields that only an answer has, ' +
    'such as `id` and `version`, are ignored',
}

export const ProductWrite = Contract('ProductWrite', WRITTEN_FIELDS, WRITE_OPTIONS)
export type ProductWrite = Static<typeof ProductWrite>

export const ProductBulkLine = Contract('ProductBulkLine', WRITTEN_FIELDS, WRITE_OPTIONS)

export const ProductBulkResult = bulkResult(
  'ProductBulkResult',
  {
    external_id: Type.Optional(Type.String({ description: 'As the line has it' })),
    cleared: Type.Optional(
      ListOf(Type.String(), {
        description:
          'Fields that had a value and are empty now, because the line does not have them, and up to 100 such members ' +
          'of `attributes` and `properties`, as `properties.NAME`; absent without any',
      }),
    ),
  },
  { absentId: 'Absent when the line failed, and for a product that a dry run would create' },
)

/** Most failed lines that an answer with `answers=failed` has. */
export const TOLD_FAILURES_MAX = 1_000

export const ProductBulkFinished = Contract(
  'ProductBulkFinished',
  {
    status: OneOf(['finished']),
    retired: Int({ minimum: 0, description: 'Products that were retired' }),
    would_retire: Type.Optional(
      Int({
        minimum: 0,
        description: 'Products that no line named, in a dry run, and where not all of them were retired',
      }),
    ),
    external_ids: Type.Optional(ListOf(Type.String(), { description: 'The first 20 of them' })),
    dry_run: Type.Optional(Flag({ description: 'True in a dry run' })),
    watermark: Type.Optional(
      Type.String({ description: 'Names the last change, for X-Min-Watermark of a search; absent in a dry run' }),
    ),
    reason: Type.Optional(Type.String({ description: 'Why not all of them were retired, and what to do' })),
    created: Type.Optional(Int({ minimum: 0, description: 'With `answers=failed`: lines by what became of them' })),
    updated: Type.Optional(Int({ minimum: 0 })),
    unchanged: Type.Optional(Int({ minimum: 0 })),
    failed: Type.Optional(Int({ minimum: 0 })),
  },
  {
    description:
      'The last line of a complete full sync, and with `answers=failed` of every complete push. Otherwise ' +
      '`sync=delta` has no such line',
  },
)
export type ProductBulkFinished = Static<typeof ProductBulkFinished>

/** Fields whose JSON numbers keep all their digits. */
export const EXACT_NUMBERS: ReadonlySet<string> = new Set([
  'price_current',
  'price_msrp',
  'price_special',
  'rating_average',
])

const SiteName = Type.String({ description: 'Id or slug of a site' })

export const ProductWriteQuery = Type.Object({ site_id: SiteName })

export const ProductBulkQuery = Type.Object({
  site_id: SiteName,
  sync: Type.Optional(
    OneOf(['delta', 'full'], {
      default: 'delta',
      description: '`full`: after the last line, products of the site and source that no line named are retired',
    }),
  ),
  max_retired: Type.Optional(
    Type.String({
      pattern: MAX_RETIRED_PATTERN,
      description:
        'With `sync=full`: if more products would be retired, none is. A number of products, or a percentage (`25%`, ' +
        'written `25%25` in an address) of the products that the site has from the source. Absent: 10 percent, but ' +
        'at least 5 products',
    }),
  ),
  dry_run: Type.Optional(
    Flag({ default: false, description: 'Writes nothing. Answers what each line would do, and what would be retired' }),
  ),
  mode: Type.Optional(
    OneOf(['upsert', 'patch'], {
      default: 'upsert',
      description:
        '`patch`: each line changes the product with its external_id, as `PATCH` does, and fails where there is none. ' +
        'Not with `sync=full`',
    }),
  ),
  source: Type.Optional(
    OneOf(PRODUCT_SOURCES, { default: 'feed', description: 'Source of the products. A patch leaves theirs as it is' }),
  ),
  answers: Type.Optional(
    OneOf(['every', 'failed'], {
      default: 'every',
      description:
        '`failed`: answers once everything is read, for senders such as browsers that read no answer before: the first ' +
        `failed lines, at most ${TOLD_FAILURES_MAX} and 1 MiB of them, and a last line with counts`,
    }),
  ),
})

export const ProductListQuery = Type.Object({
  site_id: Type.Optional(SiteName),
  external_id: Type.Optional(Type.String()),
  brand: Type.Optional(Type.String()),
  category: Type.Optional(Type.String()),
  availability: Type.Optional(Type.String()),
  language: Type.Optional(LanguageFilter()),
  source: Type.Optional(OneOf(PRODUCT_SOURCES)),
  is_variant: Type.Optional(Flag()),
  is_parent: Type.Optional(Flag()),
  parent_product_id: Type.Optional(Uuid()),
  include_total: Type.Optional(Flag({ default: false, description: 'Answer X-Total-Count' })),
  ...PageQuery.properties,
})
export type ProductListQuery = Static<typeof ProductListQuery>
