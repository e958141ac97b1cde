import {
  Contract,
  DateTime,
  FreeForm,
  Int,
  ListOf,
  Nullable,
  Num,
  OneOf,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'
import { ROLES } from '../../platform/access/scopes.ts'
import { ORDERED_VISIBILITIES, VISIBILITIES } from '../../platform/access/visibility.ts'
import { SearchFilter } from '../../search/request/contract.ts'
import { Excerpt } from '../../search/excerpts/contract.ts'

export const SECTIONS = ['knowledge', 'products'] as const
export type SectionName = (typeof SECTIONS)[number]
export const MODES = ['hybrid', 'semantic', 'keyword'] as const
export type Mode = (typeof MODES)[number]

/** Fields that make a search see what people with another role or a lower ceiling see. */
export const viewFields = {
  role: Type.Optional(
    Nullable(OneOf(ROLES), {
      description:
        "Search as somebody with this role, in the caller's own workspaces and without private notes. Null: as oneself",
    }),
  ),
  ceiling: Type.Optional(
    Nullable(OneOf(ORDERED_VISIBILITIES), {
      description: 'Search with this ceiling, not above the own one. Null: that of the role, or the own one',
    }),
  ),
}

/** Fields of a search, the same in every mode. */
const question = {
  section: OneOf(SECTIONS),
  query: Text({ maxLength: 500 }),
  site_id: Type.Optional(Nullable(Uuid(), { description: 'Only what is on this site' })),
  filter: Type.Optional(SearchFilter),
  min_relevance: Type.Optional(Nullable(Num({ minimum: 0, maximum: 1 }))),
  ...viewFields,
}

export const LaboratorySearch = Contract(
  'LaboratorySearch',
  { ...question, limit: Type.Optional(Int({ minimum: 1, maximum: 20, default: 10 })) },
  { examples: [{ section: 'knowledge', query: 'connect an assistant', role: 'reader', limit: 3 }] },
)
export type LaboratorySearch = Static<typeof LaboratorySearch>

export const LaboratoryHit = Contract('LaboratoryHit', {
  id: Uuid(),
  title: Type.String(),
  language: Type.String(),
  visibility: Nullable(OneOf(VISIBILITIES), { description: 'Null for products' }),
  rank: Int({ minimum: 1 }),
  similarity: Num(),
  relevance: Num(),
  score: Num({ description: 'What the mode ranks by: the sum of `meaning`, `words` and `other`' }),
  meaning: Num({ description: 'What the similarity contributed to the score' }),
  words: Num({ description: 'What the words contributed to the score' }),
  other: Num({ description: 'What an exact title or identifier, all words, clicks and rules of a site contributed' }),
  terms: ListOf(Type.Object({ term: Type.String(), score: Num(), typed: Type.Optional(Type.String()) }), {
    description: 'The words that matched, heaviest first, 20 at most',
  }),
  passage: Nullable(Type.String(), { description: 'The passage that is nearest by meaning; null for products' }),
  excerpt: Type.Optional(Excerpt),
})
export type LaboratoryHit = Static<typeof LaboratoryHit>

export const LaboratoryAnswer = Contract('LaboratoryAnswer', {
  ceiling: OneOf(ORDERED_VISIBILITIES, { description: 'What was searched with' }),
  answers: ListOf(
    Type.Object({
      mode: OneOf(MODES),
      total: Int({ minimum: 0 }),
      duration_ms: Num({ description: 'All parts of the search together' }),
      timing: FreeForm({ description: 'Milliseconds of each part' }),
      degraded: Type.Boolean({ description: 'Whether meaning could not be compared' }),
      hits: ListOf(LaboratoryHit),
    }),
    { description: 'One for each mode' },
  ),
})
export type LaboratoryAnswer = Static<typeof LaboratoryAnswer>

export const MissingQuestion = Contract(
  'MissingQuestion',
  {
    ...question,
    id: Uuid({ description: 'The entry or product that was expected' }),
    mode: Type.Optional(OneOf(MODES, { default: 'hybrid' })),
  },
  {
    examples: [
      {
        section: 'knowledge',
        query: 'connect an assistant',
        id: '01a00000-0000-7000-8000-00000000000e',
        mode: 'hybrid',
      },
    ],
  },
)
export type MissingQuestion = Static<typeof MissingQuestion>

const REASONS = [
  'found',
  'outside_first_1000',
  'not_visible',
  'expired',
  'variant_policy',
  'filtered',
  'hidden_by_rule',
  'not_embedded',
  'no_words',
  'others_match_better',
  'below_relevance',
  'unknown',
] as const

export const MissingAnswer = Contract('MissingAnswer', {
  id: Uuid(),
  title: Type.String(),
  reason: OneOf(REASONS, {
    description:
      '`found`: it is a hit, see `rank`. `variant_policy`: the tenant shows variants in place of their parent. ' +
      '`others_match_better`: too few of its words match, and its meaning is too far, beside what others have',
  }),
  rank: Nullable(Int({ minimum: 1 }), { description: 'Among all hits; null when it is not one of the first 1,000' }),
  visibility: Nullable(OneOf(VISIBILITIES), { description: 'Its level, where that is the reason' }),
  expired_at: Nullable(DateTime()),
  relevance: Nullable(Num(), { description: 'Its relevance, where that is the reason' }),
  conditions: ListOf(FreeForm(), {
    description:
      'The parts of `filter`, and `site_id`, that leave it out, as they were sent; those of a long filter from the 20th on as one',
  }),
  rules: ListOf(Type.Object({ rule_id: Uuid(), name: Type.String() }), {
    description: 'The merchandising rules that hide it; of more than 16, the first ones that do',
  }),
})
export type MissingAnswer = Static<typeof MissingAnswer>
