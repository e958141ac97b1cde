import type { Queries } from '../../platform/database/database.ts'
import { type Cell, listCells, listQueries, listTopProducts } from './analytics-store.ts'
import type { SearchAnalytics, SearchFigures } from './contract.ts'

const DAY_MS = 86_400_000

export interface AnalyticsRange {
  /** First millisecond of the range, since 1970. */
  readonly from: number
  /** Millisecond after the last one of the range. */
  readonly to: number
  /** Null for all sites. */
  readonly siteId: string | null
  /** Null for all sections. */
  readonly section: string | null
  /** Length of each list. */
  readonly limit: number
}

/** Returns all figures of a tenant over a range of time. */
export async function analyse(db: Queries, tenantId: string, range: AnalyticsRange): Promise<SearchAnalytics> {
  const cells = await listCells(db, tenantId, range)
  const queries = await listQueries(db, tenantId, range)
  const by = (key: (cell: Cell) => string): [string, SearchFigures][] =>
    [...Map.groupBy(cells, key)]
      .map(([name, group]): [string, SearchFigures] => [name, sum(group)])
      .sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    from: new Date(range.from).toISOString(),
    to: new Date(range.to).toISOString(),
    total: sum(cells),
    by_day: by((cell) => new Date(cell.day * DAY_MS).toISOString().slice(0, 10)).map(([day, of]) => ({ day, ...of })),
    by_site: by((cell) => cell.site_id ?? '').map(([id, of]) => ({ site_id: id === '' ? null : id, ...of })),
    by_section: by((cell) => cell.section).map(([section, of]) => ({ section, ...of })),
    top_queries: queries('top'),
    zero_result_queries: queries('zero_results'),
    zero_click_queries: queries('zero_clicks'),
    top_products: await listTopProducts(db, tenantId, range),
  }
}

function sum(cells: readonly Cell[]): SearchFigures {
  const total = (count: (cell: Cell) => number): number => cells.reduce((all, cell) => all + count(cell), 0)
  const searches = total((cell) => cell.searches)
  const clicked = total((cell) => cell.clicked)
  const ranked = total((cell) => cell.ranked)
  return {
    searches,
    clicked,
    click_through_rate: searches === 0 ? null : clicked / searches,
    mean_reciprocal_rank: ranked === 0 ? null : total((cell) => cell.reciprocal_ranks) / ranked,
    zero_results: total((cell) => cell.zero_results),
    zero_clicks: total((cell) => cell.zero_clicks),
  }
}
