import {
  Contract,
  DateTime,
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
import { SearchFilter } from '../../../search/request/contract.ts'
import { FILTER_LENGTH_MAX } from '../search/filter-length.ts'
import { ProductFacets, ProductHit, ProductSearch } from '../search/search-contract.ts'

const ACTIONS = ['pin', 'hide', 'boost', 'bury', 'redirect'] as const
const MATCHES = ['exact', 'contains'] as const
/** Most rules of one preview. */
const PREVIEW_RULES_MAX = 50

const values = (description: string) => ListOf(Text({ maxLength: 200 }), { maxItems: 20, description })
const filter = (description: string) => Nullable(Type.String({ maxLength: FILTER_LENGTH_MAX }), { description })

const fields = {
  name: Text({ maxLength: 200 }),
  action: OneOf(ACTIONS, {
    description:
      '`pin` shows products before all other hits, `hide` leaves them out of hits, total and facets, `boost` and ' +
      '`bury` move them up and down, `redirect` answers with an address',
  }),
  is_active: Flag({ default: true }),
  from: Nullable(DateTime(), { description: 'First moment at which the rule applies. Null: no start' }),
  to: Nullable(DateTime(), { description: 'Last moment at which the rule applies. Null: no end' }),
  query: Nullable(Text({ maxLength: 200 }), {
    description: 'For searches with this query; words count by their stems. Null: for every query and for none',
  }),
  match: OneOf(MATCHES, {
    default: 'exact',
    description: '`exact`: the query has these words and no others. `contains`: it has all of them',
  }),
  filter_category: filter(
    'For searches that filter by this category alone, or by all below it. Null: for every search',
  ),
  filter_brand: filter('For searches that filter by this brand alone. Null: for every search'),
  product_ids: ListOf(Uuid(), {
    maxItems: 100,
    description: 'Products of the site, pinned in this order. A parent stands for its variants too',
  }),
  brands: values('Products of any of these brands'),
  categories: values('Products of any of these categories'),
  availabilities: values(
    'Products with any of these availabilities. Of several kinds of lists and a filter, all must match',
  ),
  strength: Num({
    minimum: 0,
    maximum: 1,
    default: 0.5,
    description: 'Of a boost or bury; 1 is as much as matching all words of the query',
  }),
  address: Nullable(
    Type.String({ maxLength: 2_000, pattern: String.raw`^(https?://[^\s/@\\?#]+([/?#]\S*)?|/([^\s/\\]\S*)?)$` }),
    {
      description: 'Where a redirect leads: a web address, or a path of the site',
    },
  ),
}

const { name, action, ...choices } = fields

const productsFiltered = Type.Optional(
  Nullable(SearchFilter, {
    description:
      'Products that match it: a filter as in product search, without `site_id`. For hide, boost and bury. Absent ' +
      'where there is none',
  }),
)

const written = {
  name,
  action,
  is_active: Type.Optional(choices.is_active),
  from: Type.Optional(choices.from),
  to: Type.Optional(choices.to),
  query: Type.Optional(choices.query),
  match: Type.Optional(choices.match),
  filter_category: Type.Optional(choices.filter_category),
  filter_brand: Type.Optional(choices.filter_brand),
  product_ids: Type.Optional(choices.product_ids),
  brands: Type.Optional(choices.brands),
  categories: Type.Optional(choices.categories),
  availabilities: Type.Optional(choices.availabilities),
  filter: productsFiltered,
  strength: Type.Optional(choices.strength),
  address: Type.Optional(choices.address),
}

export const MerchandisingRule = Contract('MerchandisingRule', {
  id: Uuid(),
  site_id: Uuid(),
  ...fields,
  filter: productsFiltered,
  created_at: DateTime(),
  updated_at: DateTime(),
})
export type MerchandisingRule = Static<typeof MerchandisingRule>

/** Rule without its id, site and times. */
export type RuleDefinition = Omit<MerchandisingRule, 'id' | 'site_id' | 'created_at' | 'updated_at'>

export const MerchandisingRuleWrite = Contract('MerchandisingRuleWrite', written)
export type MerchandisingRuleWrite = Static<typeof MerchandisingRuleWrite>

const Word = Text({ maxLength: 100 })

export const Synonym = Contract('Synonym', {
  words: ListOf(Word, {
    minItems: 1,
    maxItems: 20,
    description: 'Words, or phrases, that stand for each other; with `from`, that `from` also stands for',
  }),
  from: Type.Optional(
    Nullable(Word, { description: 'One way: a query with this also finds `words`, not the reverse' }),
  ),
})
export type Synonym = Static<typeof Synonym>

const vocabulary = {
  synonyms: ListOf(Synonym, { maxItems: 1_000 }),
  stop_words: ListOf(Word, {
    maxItems: 500,
    description: 'Words that product search leaves out of queries that have others',
  }),
}

export const SearchVocabulary = Contract('SearchVocabulary', vocabulary)
export type SearchVocabulary = Static<typeof SearchVocabulary>

const { site_id: _site, explain: _explain, visitor_id: _visitor, ...searchFields } = ProductSearch.properties

export const MerchandisingPreview = Contract('MerchandisingPreview', {
  ...searchFields,
  rules: ListOf(MerchandisingRuleWrite, {
    maxItems: PREVIEW_RULES_MAX,
    description: 'In place of the rules of the site',
  }),
  synonyms: Type.Optional(ListOf(Synonym, { maxItems: 100, description: "In place of the tenant's" })),
  stop_words: Type.Optional(ListOf(Word, { maxItems: 100, description: "In place of the tenant's" })),
  at: Type.Optional(DateTime({ description: 'The moment at which rules and prices apply. Absent: now' })),
})
export type MerchandisingPreview = Static<typeof MerchandisingPreview>

export const MerchandisingPreviewAnswer = Contract('MerchandisingPreviewAnswer', {
  total: Int({ minimum: 0 }),
  hits: ListOf(ProductHit, { description: 'Each with its explanation' }),
  facets: Type.Union([ProductFacets, Type.Null()]),
  redirect: Nullable(Type.String()),
})
export type MerchandisingPreviewAnswer = Static<typeof MerchandisingPreviewAnswer>
