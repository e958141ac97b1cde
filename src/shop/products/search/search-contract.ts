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
import { Product } from '../contract.ts'
import { FILTER_LENGTH_MAX } from './filter-length.ts'

const SEARCH_MODES = ['hybrid', 'keyword', 'semantic'] as const

const filter = (description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: FILTER_LENGTH_MAX }), { description }))

export const ProductSearch = Contract('ProductSearch', {
  query: Type.Optional(
    Type.String({
      maxLength: 2_000,
      default: '',
      description: 'Words, a question, or an identifier. Empty: all that the filters leave, last changed first',
    }),
  ),
  site_id: filter('Id or slug of a site; all sites without it'),
  limit: Type.Optional(
    Int({
      minimum: 1,
      maximum: 100,
      default: 10,
      description: 'A page of more than about 8 MiB, as text or as JSON, ends early',
    }),
  ),
  offset: Type.Optional(Int({ minimum: 0, maximum: 1_000, default: 0 })),
  mode: Type.Optional(OneOf(SEARCH_MODES, { default: 'hybrid' })),
  category: filter('Exactly this category'),
  brand: filter('Exactly this brand'),
  availability: filter('Exactly this availability'),
  language: filter('Exactly this language'),
  sku: filter('SKU, GTIN or external_id, compared without case, spaces and signs'),
  price_min: Type.Optional(Decimal({ description: 'At least; products without a price are left out' })),
  price_max: Type.Optional(Decimal({ description: 'At most; products without a price are left out' })),
  facets: Type.Optional(Flag({ default: true, description: 'Count the values of what was found' })),
  explain: Type.Optional(Flag({ default: false, description: 'What each part contributed to the score' })),
  visitor_id: VisitorId(),
})
export type ProductSearch = Static<typeof ProductSearch>

/** Whose JSON numbers keep their digits. */
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
      typed: Type.Optional(Type.String({ description: 'The word of the query it stands for, where that is another' })),
    }),
  ),
  matched_text: Nullable(OneOf(['description', 'properties', 'attributes']), {
    description: 'Which of its embedding texts is nearest to the query',
  }),
  exact: Num({ description: 'Added because the query is its SKU, GTIN or external_id; else 0' }),
  clicks: Nullable(
    Type.Object({
      clicks: Num(),
      expected_clicks: Num(),
      added: Num({ description: 'What the score gained or lost' }),
    }),
    { description: 'What clicks say of it under this query; null while nothing' },
  ),
})
export type ProductExplanation = Static<typeof ProductExplanation>

export const ProductHit = Contract('ProductHit', {
  product: Product,
  similarity: Num({ description: '1 minus cosine distance of the nearest of its embedding texts' }),
  score: Num({ description: 'What the mode ranks by' }),
  rank: Int({ minimum: 1, description: 'Place among all hits' }),
  section: Type.Literal('products'),
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
        over: Nullable(Type.String(), { description: 'Prices over this' }),
        up_to: Nullable(Type.String(), { description: 'and up to this, itself included' }),
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
  site_id: Type.Optional(Type.String({ maxLength: 200, description: 'Id or slug of a site; all sites without it' })),
  limit: Type.Optional(Int({ minimum: 1, maximum: 20, default: 5, description: 'Length of each list' })),
})

export const Suggestions = Contract('Suggestions', {
  completions: ListOf(Type.String(), { description: 'What has been typed with its last word completed' }),
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
