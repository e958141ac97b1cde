import {
  Contract,
  DateTime,
  Flag,
  Int,
  ListOf,
  Nullable,
  Num,
  type Static,
  Text,
  Type,
} from '../../platform/contract/schema.ts'

export const LearningDone = Contract('LearningDone', {
  queries: Int({ minimum: 0, description: 'Queries with boosts now, over all sites' }),
  learnt_at: DateTime(),
})
export type LearningDone = Static<typeof LearningDone>

const SITE = Type.Optional(
  Type.String({ maxLength: 200, description: 'Id or slug of a site. Absent: searches that name no site' }),
)

export const LearntQuery = Type.Object({
  query: Text({ maxLength: 200, description: 'In any spelling; see the key of a query' }),
  site_id: SITE,
})
export type LearntQuery = Static<typeof LearntQuery>

export const LearntQueriesQuery = Type.Object({
  site_id: SITE,
  limit: Type.Optional(Int({ minimum: 1, maximum: 100, default: 20, description: 'Length of the list' })),
})
export type LearntQueriesQuery = Static<typeof LearntQueriesQuery>

export const QueryWithBoosts = Contract('QueryWithBoosts', {
  query: Type.String({ description: 'As it was last typed; its key when no search with it is kept any more' }),
  query_key: Type.String(),
  rising: Int({ minimum: 0, description: 'Products that clicks move up' }),
  falling: Int({ minimum: 0, description: 'Products that clicks move down' }),
  strongest_boost: Num({ description: 'The largest boost or loss of a product, without its sign' }),
  learnt_at: DateTime(),
})
export type QueryWithBoosts = Static<typeof QueryWithBoosts>

export const LearntForQuery = Contract('LearntForQuery', {
  query_key: Nullable(Type.String(), { description: 'Queries with this key learn together; null for white space' }),
  is_learning: Flag({ description: 'Whether clicks move products in these searches' }),
  learnt_at: Nullable(DateTime(), { description: 'When boosts of the tenant were last computed; null without any' }),
  visitors: Int({
    minimum: 0,
    description: 'Different visitors who clicked after the query in the last 90 days, as far as they count together',
  }),
  visitors_needed: Int({ description: 'Fewer teach nothing' }),
  days: Int({ minimum: 0, description: 'Different days on which they clicked' }),
  days_needed: Int({ description: 'Fewer teach nothing' }),
  products: ListOf(
    Type.Object({
      product_id: Type.String(),
      boost: Num({ description: 'What a hit gains or loses, as a share of what the words of the query can score' }),
      clicks: Num({ description: 'Weighted by age' }),
      expected_clicks: Num({ description: 'Clicks of an average product at the same ranks' }),
      visitors_clicked: Int({ minimum: 0, description: 'Visitors who clicked it' }),
      visitors_shown: Int({ minimum: 0, description: 'Visitors who clicked something where it was shown' }),
    }),
    { description: 'What has been learnt, strongest first' },
  ),
})
export type LearntForQuery = Static<typeof LearntForQuery>
