import {
  Contract,
  Decimal,
  Flag,
  Int,
  ListOf,
  Nullable,
  Num,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../../platform/contract/schema.ts'
import { VisitorId } from '../../../insights/analytics/contract.ts'
import { SearchFilter, SearchSort } from '../../../search/asked/contract.ts'
import { Excerpt, ExcerptOptions } from '../../../search/excerpts/contract.ts'
import { Product, PRODUCT_FIELDS } from '../contract.ts'
import { FILTER_LENGTH_MAX } from './filter-length.ts'

const SEARCH_MODES = ['hybrid', 'keyword', 'semantic'] as const

const filter = (description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: FILTER_LENGTH_MAX }), { description }))

/** The fields that a product has in a hit. */
export const ProductFields = ListOf(OneOf(PRODUCT_FIELDS), {
  minItems: 1,
  maxItems: 50,
  description: 'The product of each hit has these fields alone. Absent: all',
})

export const ProductSearch = Contract(
  'ProductSearch',
  {
    query: Type.Optional(
      Type.String({
        maxLength: 2_000,
        default: '',
        description:
          'Words, a question, or an identifier. Empty: all products that pass the filters, last changed first',
      }),
    ),
    site_id: filter('Id or slug of a site. Absent: all sites'),
    limit: Type.Optional(
      Int({
        minimum: 1,
        maximum: 100,
        default: 10,
        description: 'A page ends early once it has about 8 MiB, as text or as JSON',
      }),
    ),
    offset: Type.Optional(Int({ minimum: 0, maximum: 1_000, default: 0 })),
    mode: Type.Optional(OneOf(SEARCH_MODES, { default: 'hybrid' })),
    category: filter('Exactly this category'),
    brand: filter('Exactly this brand'),
    availability: filter('Exactly this availability'),
    language: filter('Exactly this language'),
    sku: filter('SKU, GTIN or external_id, compared without case, spaces and punctuation'),
    price_min: Type.Optional(Decimal({ description: 'Lowest price. Products without a price are left out' })),
    price_max: Type.Optional(Decimal({ description: 'Highest price. Products without a price are left out' })),
    facets: Type.Optional(
      Flag({ default: true, description: 'Count the products found by the values of their fields' }),
    ),
    explain: Type.Optional(Flag({ default: false, description: 'What each part contributed to the score' })),
    filter: Type.Optional(SearchFilter),
    sort: Type.Optional(SearchSort),
    fields: Type.Optional(ProductFields),
    excerpt: Type.Optional(ExcerptOptions),
    visitor_id: VisitorId(),
  },
  { examples: [{ query: 'usb c cable', limit: 3 }] },
)
export type ProductSearch = Static<typeof ProductSearch>

/** Fields whose JSON numbers keep all their digits. */
export const EXACT_SEARCH_NUMBERS: ReadonlySet<string> = new Set(['price_min', 'price_max'])

export const ProductExplanation = Contract('ProductExplanation', {
  bm25: Num(),
  coverage: Nullable(Num(), { description: "Share of the query's weight the product covers" }),
  vector_weight: Num({ description: 'Weight of the similarity in the hybrid score' }),
  terms: ListOf(
    Type.Object({
      term: Type.String(),
      idf: Num(),
      frequency: Num(),
      score: Num(),
      typed: Type.Optional(
        Type.String({ description: 'The word of the query that the term replaces, if they differ' }),
      ),
    }),
  ),
  matched_text: Nullable(OneOf(['description', 'properties', 'attributes']), {
    description: 'Which of its embedding texts is nearest to the query',
  }),
  exact: Num({ description: 'Added to the score if the query is the SKU, GTIN or external_id of the product; else 0' }),
  clicks: Nullable(
    Type.Object({
      clicks: Num(),
      expected_clicks: Num(),
      added: Num({ description: 'What the score gained or lost' }),
    }),
    { description: 'What was learnt from clicks on the product for this query; null if nothing' },
  ),
})
export type ProductExplanation = Static<typeof ProductExplanation>

export const ProductHit = Contract('ProductHit', {
  product: Product,
  similarity: Num({ description: '1 minus cosine distance of the nearest of its embedding texts' }),
  score: Num({ description: 'The hits are ranked by it' }),
  rank: Int({ minimum: 1, description: 'Position among all hits' }),
  section: Type.Literal('products'),
  excerpt: Type.Optional(Excerpt),
  explanation: Type.Optional(ProductExplanation),
})
export type ProductHit = Static<typeof ProductHit>

const Counted = ListOf(Type.Object({ value: Type.String(), count: Int() }))

export const ProductFacets = Contract('ProductFacets', {
  brand: Counted,
  category: Counted,
  availability: Counted,
  language: Counted,
  site: ListOf(Type.Object({ value: Uuid(), count: Int() })),
  price: Type.Object({
    count: Int({ description: 'Products with a price' }),
    min: Nullable(Type.String()),
    max: Nullable(Type.String()),
    ranges: ListOf(
      Type.Object({
        over: Nullable(Type.String(), { description: 'Lower bound, itself not included' }),
        up_to: Nullable(Type.String(), { description: 'Upper bound, itself included' }),
        count: Int(),
      }),
    ),
  }),
})
export type ProductFacets = Static<typeof ProductFacets>

export const ProductSearchAnswer = Contract('ProductSearchAnswer', {
  search_log_id: Type.String(),
  total: Int({ description: 'All products that were found' }),
  hits: ListOf(ProductHit),
  facets: Type.Union([ProductFacets, Type.Null()]),
})

export const SimilarQuery = Type.Object({ limit: Type.Optional(Int({ minimum: 1, maximum: 100, default: 10 })) })

export const SimilarProduct = Contract('SimilarProduct', { product: Product, similarity: Num() })

export const SuggestQuery = Type.Object({
  q: Text({ maxLength: 200, description: 'What has been typed so far' }),
  site_id: Type.Optional(Type.String({ maxLength: 200, description: 'Id or slug of a site. Absent: all sites' })),
  limit: Type.Optional(Int({ minimum: 1, maximum: 20, default: 5, description: 'Length of each list' })),
})

export const Suggestions = Contract('Suggestions', {
  completions: ListOf(Type.String(), { description: 'The typed text with its last word completed' }),
  brands: ListOf(Type.Object({ value: Type.String(), count: Int() })),
  categories: ListOf(Type.Object({ value: Type.String(), count: Int() })),
  products: ListOf(
    Type.Object({
      id: Uuid(),
      title: Type.String(),
      brand: Nullable(Type.String()),
      image_url: Nullable(Type.String()),
      product_url: Nullable(Type.String()),
    }),
  ),
})
export type Suggestions = Static<typeof Suggestions>
