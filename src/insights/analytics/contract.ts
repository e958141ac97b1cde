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

/** Of searches and clicks alike. */
export const VisitorId = () =>
  Type.Optional(
    Text({
      maxLength: 200,
      description:
        'Who is behind the request, in your own words: the same in a search and the clicks on it. Stored as a hash ' +
        'that is another one after at most 30 days. Not needed, and not looked at, where the credential belongs to a user',
    }),
  )

export const SearchClick = Contract('SearchClick', {
  search_log_id: Text({ maxLength: 100, description: 'X-Search-Log-Id or search_log_id of the search' }),
  action: Text({ maxLength: 50, examples: ['click', 'pin', 'unpin', 'find similar', 'ask advisor'] }),
  product_id: Text({ maxLength: 200, description: 'The product; in section knowledge, the entry' }),
  section: Text({ maxLength: 50, examples: ['products', 'knowledge'] }),
  rank: Type.Optional(Int({ default: 0, description: 'Kept as given; what counts is the rank in the logged search' })),
  score: Type.Optional(Num({ default: 0 })),
  visitor_id: VisitorId(),
})
export type SearchClick = Static<typeof SearchClick>

export const ClickAccepted = Contract('ClickAccepted', { accepted: Type.Literal(true) })

export const SearchAnalyticsQuery = Type.Object({
  from: Type.Optional(DateTime({ description: 'First moment; 30 days before `to` without it' })),
  to: Type.Optional(DateTime({ description: 'The moment after the last; now without it' })),
  site_id: Type.Optional(Uuid()),
  section: Type.Optional(Text({ maxLength: 50, examples: ['products', 'knowledge'] })),
  limit: Type.Optional(
    Int({ minimum: 1, maximum: 100, default: 10, description: 'Length of the lists of queries and products' }),
  ),
})
export type SearchAnalyticsQuery = Static<typeof SearchAnalyticsQuery>

const figures = {
  searches: Int({ minimum: 0, description: 'First pages; turning the page is no search of its own' }),
  clicked: Int({ minimum: 0, description: 'Of those, with a click' }),
  click_through_rate: Nullable(Num(), { description: 'Share of the searches with a click; null without searches' }),
  mean_reciprocal_rank: Nullable(Num(), {
    description: 'Mean of 1/rank of the first hit clicked, over the searches with a click on what they showed',
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
      site_id: Nullable(Uuid(), { description: 'Null: searches over no site in particular' }),
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
