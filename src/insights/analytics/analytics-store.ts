import { type RawBuilder, sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import type { AnalyticsRange } from './analytics.ts'
import type { QueryFigures } from './contract.ts'
import { NO_CLICK } from '../search-log/click-kinds.ts'

const DAY_MS = 86_400_000

/** Counts of the searches of a day, a site and a section. */
export interface Cell {
  /** Number of the UTC day, counted from 1970. */
  readonly day: number
  readonly site_id: string | null
  readonly section: string
  readonly searches: number
  /** Searches with a click. */
  readonly clicked: number
  /** Searches with a click on one of their hits. */
  readonly ranked: number
  /** Sum of 1/rank of the first hit that was clicked. */
  readonly reciprocal_ranks: number
  readonly zero_results: number
  readonly zero_clicks: number
}

/** Counts the first pages of searches by day, site and section. Further pages are no searches of their own. */
export async function listCells(db: Queries, tenantId: string, range: AnalyticsRange): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    select at / ${sql.lit(DAY_MS)} as day, site_id, section,
      count(*) as searches,
      count(case when clicks > 0 then 1 end) as clicked,
      count(first_rank) as ranked,
      coalesce(sum(1.0 / first_rank), 0) as reciprocal_ranks,
      count(case when hits = 0 and clicks = 0 then 1 end) as zero_results,
      count(case when hits > 0 and clicks = 0 then 1 end) as zero_clicks
    from search_log
    where ${within(tenantId, range)} and page_offset = 0
    group by at / ${sql.lit(DAY_MS)}, site_id, section`.execute(db)
  return rows
}

/** Count by which each list is sorted. A list leaves out queries whose count is 0. */
const LISTS = {
  top: sql`searches`,
  zero_results: sql`zero_results`,
  zero_clicks: sql`case when clicked = 0 then searches - zero_results else 0 end`,
} as const satisfies Record<string, RawBuilder<unknown>>

type QueryRow = QueryFigures & { readonly list: keyof typeof LISTS; readonly query_key: string }

/**
 * Groups the searches by query once, and takes all three lists from these groups.
 * @returns a function that returns a list by its name
 */
export async function listQueries(db: Queries, tenantId: string, range: AnalyticsRange) {
  const lists = Object.entries(LISTS).map(
    ([list, order]) => sql`
      select * from (
        select ${sql.lit(list)} as list, grouped.*, ${order} as place from grouped
        where ${order} > 0 order by ${order} desc, query_key limit ${sql.lit(range.limit)}
      ) as ${sql.ref(list)}`,
  )
  const { rows } = await sql<QueryRow>`
    with grouped as materialized (
      select query_key,
        count(*) as searches,
        count(case when clicks > 0 then 1 end) as clicked,
        count(case when hits = 0 and clicks = 0 then 1 end) as zero_results
      from search_log
      where ${within(tenantId, range)} and page_offset = 0 and query_key is not null
      group by query_key
    ), listed as (${sql.join(lists, sql` union all `)})
    select list, query_key, searches, clicked, zero_results,
      (select query from search_log l where l.tenant_id = ${tenantId} and l.query_key = listed.query_key
        order by at desc limit 1) as query
    from listed order by place desc, query_key`.execute(db)
  return (list: keyof typeof LISTS): QueryFigures[] =>
    rows
      .filter((row) => row.list === list)
      .map(({ query, searches, clicked, zero_results }) => ({ query, searches, clicked, zero_results }))
}

/** Returns the products and entries with the most clicks. */
export async function listTopProducts(db: Queries, tenantId: string, range: AnalyticsRange) {
  const { rows } = await sql<{ product_id: string; section: string; clicks: number }>`
    select product_id, section, count(*) as clicks
    from search_clicks
    where ${within(tenantId, range)} and action <> ${NO_CLICK}
    group by product_id, section
    order by clicks desc, product_id, section limit ${sql.lit(range.limit)}`.execute(db)
  return rows
}

function within(tenantId: string, { from, to, siteId, section }: AnalyticsRange): RawBuilder<boolean> {
  const conditions = [sql`tenant_id = ${tenantId}`, sql`at >= ${from}`, sql`at < ${to}`]
  if (siteId !== null) conditions.push(sql`site_id = ${siteId}`)
  if (section !== null) conditions.push(sql`section = ${section}`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}
