import {
  Contract,
  Decimal,
  Flag,
  Int,
  LanguageFilter,
  ListOf,
  Nullable,
  Num,
  OneOf,
  PartOf,
  type Static,
  Type,
  Uuid,
} from '../../../platform/contract/schema.ts'
import { VisitorId } from '../../../insights/analytics/contract.ts'
import { HitRelevance, RelevanceFields, ScaledSimilarity } from '../../../search/request/relevance-contract.ts'
import { SearchFilter, SearchSort } from '../../../search/request/contract.ts'
import { Excerpt, ExcerptOptions } from '../../../search/excerpts/contract.ts'
import { Product, PRODUCT_FIELDS } from '../contract.ts'
import { FILTER_LENGTH_MAX } from './filter-length.ts'

const SEARCH_MODES = ['hybrid', 'keyword', 'semantic'] as const

const filter = (description: string) =>
  Type.Optional(Nullable(Type.String({ maxLength: FILTER_LENGTH_MAX }), { description }))

/** Fields that a product has in a hit. */
export const ProductFields = ListOf(OneOf(PRODUCT_FIELDS), {
  minItems: 1,
  maxItems: 50,
  description:
    'Fields of the product in each hit. Default: all. A publishable key may ask only for public fields, and they are ' +
    'its default',
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
        description: 'A page ends early once its text or its JSON reaches about 8 MiB',
      }),
    ),
    offset: Type.Optional(Int({ minimum: 0, maximum: 1_000, default: 0 })),
    mode: Type.Optional(OneOf(SEARCH_MODES, { default: 'hybrid' })),
    prefix: Type.Optional(
      Flag({
        default: false,
        description:
          'The last word, while it is being typed, also stands for words that begin with it. Not in semantic mode',
      }),
    ),
    category: filter('Exactly this category'),
    brand: filter('Exactly this brand'),
    availability: filter('Exactly this availability'),
    language: Type.Optional(Nullable(LanguageFilter())),
    sku: filter('SKU, GTIN or external_id, compared without case, spaces and punctuation'),
    price_min: Type.Optional(Decimal({ description: 'Lowest price. Products without a price are left out' })),
    price_max: Type.Optional(Decimal({ description: 'Highest price. Products without a price are left out' })),
    facets: Type.Optional(
      Flag({ default: true, description: 'Count the products found by the values of their fields' }),
    ),
    ...RelevanceFields(),
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
  coverage: Nullable(Num(), { description: "Share of the query's words that the product has, by weight, 0 to 1" }),
  vector_weight: Num({ description: 'Weight of the similarity in the hybrid score' }),
  scaled_similarity: ScaledSimilarity(),
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
  all_words: Num({ description: 'Added to the score if the product has all words of the query; else 0' }),
  title: Type.Optional(
    Num({ description: 'Added to the score for words of the query in the title; absent where there are none' }),
  ),
  clicks: Nullable(
    Type.Object({
      clicks: Num(),
      expected_clicks: Num(),
      added: Num({ description: 'What the score gained or lost' }),
    }),
    { description: 'What was learnt from clicks on the product for this query; null if nothing' },
  ),
  merchandising: Type.Optional(
    ListOf(
      Type.Object({
        rule_id: Nullable(Uuid(), { description: 'Null for a rule of a preview' }),
        name: Type.String(),
        action: OneOf(['pin', 'boost', 'bury']),
        added: Num({ description: 'What the score gained or lost' }),
      }),
      { description: 'Rules of the site that move the product; absent where there are none' },
    ),
  ),
})
export type ProductExplanation = Static<typeof ProductExplanation>

const MatchedVariant = Contract(
  'MatchedVariant',
  {
    id: Uuid(),
    external_id: Nullable(Type.String()),
    title: Nullable(Type.String()),
    sku: Nullable(Type.String()),
    image_url: Nullable(Type.String()),
    product_url: Nullable(Type.String()),
  },
  {
    description:
      'The variant that matched best, where its parent is shown in its place. Null in place of texts over 2,000 bytes',
  },
)

const ProductInHit = PartOf('ProductInHit', Product, {
  description:
    'Has the fields that `fields` names. Without `fields` it has all, or for a publishable key the public ones. ' +
    '`gtins` is absent where there are none',
})

export const ProductHit = Contract('ProductHit', {
  product: ProductInHit,
  similarity: Num({ description: '1 minus cosine distance of the nearest of its embedding texts' }),
  score: Num({ description: 'The hits are ranked by it' }),
  relevance: HitRelevance(),
  rank: Int({ minimum: 1, description: 'Position among all hits' }),
  section: Type.Literal('products'),
  variant: Type.Optional(MatchedVariant),
  excerpt: Type.Optional(Excerpt),
  explanation: Type.Optional(ProductExplanation),
})
export interface ProductHit extends Omit<Static<typeof ProductHit>, 'product'> {
  /** Product of the hit; with `fields`, with those fields alone. */
  product: Product
}

const ValueCounts = ListOf(Type.Object({ value: Type.String(), count: Int() }))

export const ProductFacets = Contract('ProductFacets', {
  brand: ValueCounts,
  category: ValueCounts,
  availability: ValueCounts,
  language: ValueCounts,
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

export const AppliedMerchandising = Contract(
  'AppliedMerchandising',
  {
    rules: ListOf(Type.Object({ rule_id: Nullable(Uuid()), name: Type.String(), action: Type.String() })),
    synonyms: ListOf(
      Type.Object({ of: Type.String(), word: Type.String({ description: 'Also searched for in place of `of`' }) }),
    ),
    query: Type.String({ description: 'The query without stop words' }),
  },
  { description: 'With `explain`: what rules, synonyms and stop words did; absent where there are none' },
)
export type AppliedMerchandising = Static<typeof AppliedMerchandising>

export const ProductSearchAnswer = Contract('ProductSearchAnswer', {
  search_log_id: Type.String(),
  total: Int({ description: 'All products that were found' }),
  hits: ListOf(ProductHit),
  facets: Type.Union([ProductFacets, Type.Null()]),
  redirect: Type.Optional(
    Type.String({ description: 'Where a rule of the site leads people with this query; absent without such a rule' }),
  ),
  merchandising: Type.Optional(AppliedMerchandising),
  did_you_mean: Type.Optional(
    Type.String({
      description:
        'The query with its misspelt words corrected. Present if nothing was found, the search asks for relevance, and ' +
        'products have words near to those of the query',
    }),
  ),
})

export const SimilarQuery = Type.Object({ limit: Type.Optional(Int({ minimum: 1, maximum: 100, default: 10 })) })

export const SimilarProduct = Contract('SimilarProduct', { product: Product, similarity: Num() })

const SuggestedNames = ListOf(Type.Object({ value: Type.String(), count: Int() }))

/** Brands, categories and products as suggestions. */
export const ProductSuggestions = Type.Object({
  brands: SuggestedNames,
  categories: SuggestedNames,
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
