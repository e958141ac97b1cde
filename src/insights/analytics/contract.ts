import {
  Contract,
  DateTime,
  Int,
  ListOf,
  Nullable,
  Num,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../platform/contract/schema.ts'

/** Makes the field `visitor_id` of searches and clicks. */
export const VisitorId = () =>
  Type.Optional(
    Text({
      maxLength: 200,
      description:
        'Any text that identifies the visitor: the same in a search and in the clicks on its hits. Stored as a hash, ' +
        'which changes after at most 30 days. Ignored when the credential belongs to a user',
    }),
  )

export const SearchClick = Contract('SearchClick', {
  search_log_id: Text({ maxLength: 100, description: 'X-Search-Log-Id or search_log_id of the search' }),
  action: Text({ maxLength: 50, examples: ['click', 'pin', 'unpin', 'find similar', 'ask advisor'] }),
  product_id: Text({ maxLength: 200, description: 'The product; in section knowledge, the entry' }),
  section: Text({ maxLength: 50, examples: ['products', 'knowledge'] }),
  rank: Type.Optional(Int({ default: 0, description: 'Kept as given. The figures use the rank in the logged search' })),
  score: Type.Optional(Num({ default: 0 })),
  visitor_id: VisitorId(),
})
export type SearchClick = Static<typeof SearchClick>

export const ClickAccepted = Contract('ClickAccepted', { accepted: Type.Literal(true) })

export const SearchAnalyticsQuery = Type.Object({
  from: Type.Optional(DateTime({ description: 'Start of the range. Default: 30 days before `to`' })),
  to: Type.Optional(DateTime({ description: 'End of the range, itself not included. Default: now' })),
  site_id: Type.Optional(Uuid()),
  section: Type.Optional(Text({ maxLength: 50, examples: ['products', 'knowledge'] })),
  limit: Type.Optional(
    Int({ minimum: 1, maximum: 100, default: 10, description: 'Length of the lists of queries and products' }),
  ),
})
export type SearchAnalyticsQuery = Static<typeof SearchAnalyticsQuery>

const figures = {
  searches: Int({ minimum: 0, description: 'Searches. Turning to the next page does not count as another search' }),
  clicked: Int({ minimum: 0, description: 'Searches with a click' }),
  click_through_rate: Nullable(Num(), { description: 'Share of the searches with a click; null without searches' }),
  mean_reciprocal_rank: Nullable(Num(), {
    description: 'Mean of 1/rank of the first hit clicked, over the searches with a click on one of their hits',
  }),
  zero_results: Int({ minimum: 0, description: 'Searches that found nothing' }),
  zero_clicks: Int({ minimum: 0, description: 'Searches that found something and had no click' }),
}

export const SearchFigures = Contract('SearchFigures', figures)
export type SearchFigures = Static<typeof SearchFigures>

export const QueryFigures = Contract('QueryFigures', {
  query: Type.String({ description: 'As it was last typed' }),
  searches: figures.searches,
  clicked: figures.clicked,
  zero_results: figures.zero_results,
})
export type QueryFigures = Static<typeof QueryFigures>

export const SearchAnalytics = Contract('SearchAnalytics', {
  from: DateTime(),
  to: DateTime(),
  total: SearchFigures,
  by_day: ListOf(
    Contract('SearchFiguresOfDay', { day: Type.String({ format: 'date', description: 'UTC' }), ...figures }),
  ),
  by_site: ListOf(
    Contract('SearchFiguresOfSite', {
      site_id: Nullable(Uuid(), { description: 'Null: searches that named no site' }),
      ...figures,
    }),
  ),
  by_section: ListOf(Contract('SearchFiguresOfSection', { section: Type.String(), ...figures })),
  top_queries: ListOf(QueryFigures, { description: 'Searched for most often' }),
  zero_result_queries: ListOf(QueryFigures, { description: 'Found nothing most often' }),
  zero_click_queries: ListOf(QueryFigures, { description: 'Found something, and nobody ever clicked' }),
  top_products: ListOf(
    Contract('ClickedProduct', {
      product_id: Type.String(),
      section: Type.String(),
      clicks: Int({ minimum: 0 }),
    }),
    { description: 'Clicked most often' },
  ),
})
export type SearchAnalytics = Static<typeof SearchAnalytics>
