import { VisitorId } from '../../insights/analytics/contract.ts'
import { EntryFields, EntryHit, EntrySearch } from '../../knowledge/entries/contract.ts'
import {
  Contract,
  Flag,
  Int,
  LanguageFilter,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Type,
} from '../../platform/contract/schema.ts'
import { Facet, SearchFacets, SearchFilter, SearchSort } from '../../search/request/contract.ts'
import { ExcerptOptions } from '../../search/excerpts/contract.ts'
import { RelevanceFields } from '../../search/request/relevance-contract.ts'
import { ProductFields, ProductHit } from '../../shop/products/search/search-contract.ts'

export const SECTIONS = ['products', 'knowledge'] as const
export type SectionName = (typeof SECTIONS)[number]

const Limit = Int({
  minimum: 1,
  maximum: 100,
  default: 10,
  description: 'Most hits in each section. A section ends early once its hits reach about 8 MiB',
})
const Cursor = Type.String({
  maxLength: 200,
  description: '`next_cursor` of the page before, with the same search otherwise',
})

/** Fields of one section. Each stands in for that field of the whole search, so none has a default. */
const options = {
  limit: Type.Optional(Int({ minimum: 1, maximum: 100 })),
  filter: Type.Optional(SearchFilter),
  sort: Type.Optional(SearchSort),
  facets: Type.Optional(SearchFacets),
  excerpt: Type.Optional(ExcerptOptions),
  ...RelevanceFields({}),
  cursor: Type.Optional(Cursor),
}
const { include_category_path, group_translations } = EntrySearch.properties

const ProductOptions = Type.Object(
  { ...options, fields: Type.Optional(ProductFields) },
  {
    description:
      'What to ask of products alone: limit, filter, sort, facets, fields, excerpt, relevance, min_relevance, cursor',
  },
)

const EntryOptions = Type.Object(
  { ...options, fields: Type.Optional(EntryFields), include_category_path, group_translations },
  {
    description:
      'What to ask of entries alone: limit, filter, sort, facets, fields, excerpt, relevance, min_relevance, cursor, ' +
      'include_category_path, group_translations',
  },
)

export const CombinedSearch = Contract(
  'CombinedSearch',
  {
    query: Type.Optional(
      Type.String({
        maxLength: 2_000,
        default: '',
        description: 'Empty or absent: everything that passes the filters, last changed first',
      }),
    ),
    site_id: Type.Optional(Nullable(Type.String({ maxLength: 1_000 }), { description: 'Id or slug of a site' })),
    sections: Type.Optional(
      ListOf(OneOf(SECTIONS), {
        minItems: 1,
        maxItems: 10,
        description:
          'Sections to search, in the order of the answer. Without it: every section the credential may read',
      }),
    ),
    limit: Type.Optional(Limit),
    language: Type.Optional(Nullable(LanguageFilter())),
    mode: Type.Optional(OneOf(['hybrid', 'keyword', 'semantic'], { default: 'hybrid' })),
    typo_tolerance: Type.Optional(
      Flag({
        default: false,
        description:
          'A word that no entry has is replaced by the most similar words of entries. Products are always searched so',
      }),
    ),
    prefix: Type.Optional(
      Flag({
        default: false,
        description: 'The last word, while it is being typed, also stands for words that begin with it',
      }),
    ),
    filter: Type.Optional(SearchFilter),
    sort: Type.Optional(SearchSort),
    facets: Type.Optional(SearchFacets),
    excerpt: Type.Optional(ExcerptOptions),
    ...RelevanceFields(),
    include_total: Type.Optional(
      Flag({
        default: false,
        description:
          'Each section has `total` and `next_cursor`, as it has with filter, sort, facets, excerpt or relevance',
      }),
    ),
    products: Type.Optional(ProductOptions),
    knowledge: Type.Optional(EntryOptions),
    visitor_id: VisitorId(),
  },
  { examples: [{ query: 'warranty', limit: 3 }] },
)
export type CombinedSearch = Static<typeof CombinedSearch>

const KnowledgeHit = Contract('KnowledgeHit', {
  ...EntryHit.properties,
  rank: Int({ minimum: 1 }),
  section: Type.Literal('knowledge'),
})

const sectionFields = {
  total: Type.Optional(Int({ description: 'All that was found' })),
  facets: Type.Optional(ListOf(Facet, { description: 'As asked for, in that order' })),
  next_cursor: Type.Optional(Nullable(Type.String(), { description: 'Null on the last page' })),
  did_you_mean: Type.Optional(
    Type.String({
      description:
        'The query with its misspelt words corrected. Present if nothing was found, the search asks for relevance, ' +
        'and the section has words near to those of the query',
    }),
  ),
}

const ProductSection = Type.Object({
  section: Type.Literal('products'),
  hits: ListOf(ProductHit),
  ...sectionFields,
  redirect: Type.Optional(
    Type.String({ description: 'Where a rule of the site leads people with this query; absent without such a rule' }),
  ),
})

const KnowledgeSection = Type.Object({
  section: Type.Literal('knowledge'),
  hits: ListOf(KnowledgeHit),
  ...sectionFields,
})

export const CombinedAnswer = Contract('CombinedAnswer', {
  search_log_id: Type.String({ description: 'One id for all sections. A click names this id and its section' }),
  sections: ListOf(Type.Union([ProductSection, KnowledgeSection])),
})
export type CombinedAnswer = Static<typeof CombinedAnswer>

export const MultiSearch = Contract(
  'MultiSearch',
  { searches: ListOf(CombinedSearch, { minItems: 1, maxItems: 20, description: 'Each is a search of its own' }) },
  {
    examples: [
      {
        searches: [
          { query: 'warranty', limit: 3 },
          { query: 'returns', limit: 3 },
        ],
      },
    ],
  },
)

export const MultiAnswer = Contract('MultiAnswer', {
  answers: ListOf(CombinedAnswer, { description: 'In the order of the searches' }),
})
