import { VisitorId } from '../../insights/analytics/contract.ts'
import { EntryFields, EntryHit } from '../../knowledge/entries/contract.ts'
import {
  Contract,
  Flag,
  Int,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Text,
  type TSchema,
  Type,
} from '../../platform/contract/schema.ts'
import { Facet, SearchFacets, SearchFilter, SearchSort } from '../../search/asked/contract.ts'
import { ExcerptOptions } from '../../search/excerpts/contract.ts'
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

/** What one section asks for; each stands in for what the whole search asks for. */
const SectionOptions = <Fields extends TSchema>(fields: Fields, what: string) =>
  Type.Object(
    {
      limit: Type.Optional(Int({ minimum: 1, maximum: 100 })),
      filter: Type.Optional(SearchFilter),
      sort: Type.Optional(SearchSort),
      facets: Type.Optional(SearchFacets),
      fields: Type.Optional(fields),
      excerpt: Type.Optional(ExcerptOptions),
      cursor: Type.Optional(Cursor),
    },
    { description: `What to ask of ${what} alone: limit, filter, sort, facets, fields, excerpt, cursor` },
  )

export const CombinedSearch = Contract(
  'CombinedSearch',
  {
    query: Text({ maxLength: 2_000 }),
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
    language: Type.Optional(Nullable(Type.String({ maxLength: 5 }))),
    mode: Type.Optional(OneOf(['hybrid', 'keyword', 'semantic'], { default: 'hybrid' })),
    typo_tolerance: Type.Optional(
      Flag({
        default: false,
        description: 'Words that no entry has stand for the nearest that some have. Products are always searched so',
      }),
    ),
    prefix: Type.Optional(
      Flag({
        default: false,
        description: 'The last word also stands for words that it begins, while it is being typed',
      }),
    ),
    filter: Type.Optional(SearchFilter),
    sort: Type.Optional(SearchSort),
    facets: Type.Optional(SearchFacets),
    excerpt: Type.Optional(ExcerptOptions),
    include_total: Type.Optional(
      Flag({
        default: false,
        description: 'Each section has `total` and `next_cursor`, as it has with filter, sort, facets or excerpt',
      }),
    ),
    products: Type.Optional(SectionOptions(ProductFields, 'products')),
    knowledge: Type.Optional(SectionOptions(EntryFields, 'entries')),
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

const Section = <const Name extends SectionName, Hit extends typeof ProductHit | typeof KnowledgeHit>(
  name: Name,
  hit: Hit,
) =>
  Type.Object({
    section: Type.Literal(name),
    hits: ListOf(hit),
    total: Type.Optional(Int({ description: 'All that was found' })),
    facets: Type.Optional(ListOf(Facet, { description: 'As asked for, in that order' })),
    next_cursor: Type.Optional(Nullable(Type.String(), { description: 'Null on the last page' })),
  })

export const CombinedAnswer = Contract('CombinedAnswer', {
  search_log_id: Type.String({ description: 'One id for all sections. A click names this id and its section' }),
  sections: ListOf(Type.Union([Section('products', ProductHit), Section('knowledge', KnowledgeHit)])),
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
