import { VisitorId } from '../../insights/analytics/contract.ts'
import { EntryHit } from '../../knowledge/entries/contract.ts'
import {
  Contract,
  Flag,
  Int,
  ListOf,
  Nullable,
  OneOf,
  type Static,
  Text,
  Type,
} from '../../platform/contract/schema.ts'
import { ProductHit } from '../../shop/products/search/search-contract.ts'

export const SECTIONS = ['products', 'knowledge'] as const
export type SectionName = (typeof SECTIONS)[number]

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
    limit: Type.Optional(
      Int({
        minimum: 1,
        maximum: 100,
        default: 10,
        description: 'Most hits in each section. A section ends early once its hits reach about 8 MiB',
      }),
    ),
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
) => Type.Object({ section: Type.Literal(name), hits: ListOf(hit) })

export const CombinedAnswer = Contract('CombinedAnswer', {
  search_log_id: Type.String({ description: 'One id for all sections. A click names this id and its section' }),
  sections: ListOf(Type.Union([Section('products', ProductHit), Section('knowledge', KnowledgeHit)])),
})
export type CombinedAnswer = Static<typeof CombinedAnswer>
