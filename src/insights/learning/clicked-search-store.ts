import { sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import { NO_CLICK } from '../search-log/click-kinds.ts'
import { DAYS_MIN, VISITORS_MIN } from './votes.ts'

/** `site_id` in `click_boosts` for searches that name no site. */
export const NO_SITE = ''

const DAY_MS = 86_400_000
/** Most queries read for a site: those in which most visitors clicked. */
const QUERIES_MAX = 5_000
/** Searches that one statement reads. */
export const SLICE_SEARCHES = 500

/** Part of the search log that learning reads for a site. */
export interface LogSelection {
  readonly tenantId: string
  /** `NO_SITE` for searches that name no site. */
  readonly siteId: string
  /** Time of the oldest search to read, in milliseconds since 1970. */
  readonly since: number
  /** Whether visitor ids stand for different people, whatever network they come from. */
  readonly areTrusted: boolean
}

/** User or visitor who searched. The index of clicked searches has exactly this expression. */
const IDENTITY = sql<string>`coalesce(user_id, visitor)`

/** Condition of a product search with a click, by a user or a visitor with an id. */
const isIdentified = ({ tenantId, siteId, since }: LogSelection) => sql<boolean>`
  tenant_id = ${tenantId} and section = 'products' and at >= ${since} and clicks > 0 and ${IDENTITY} is not null
  and ${siteId === NO_SITE ? sql`site_id is null` : sql`site_id = ${siteId}`}`

/** Returns the keys of queries with clicks of enough visitors on enough days. Other queries teach nothing. */
export async function learnableQueries(db: Queries, selection: LogSelection): Promise<string[]> {
  const { rows } = await sql<{ query_key: string }>`
    select query_key from search_log where ${isIdentified(selection)} and query_key is not null
    group by query_key
    having count(distinct ${IDENTITY}) >= ${sql.lit(VISITORS_MIN)}
      and count(distinct at / ${sql.lit(DAY_MS)}) >= ${sql.lit(DAYS_MIN)}
    order by count(distinct ${IDENTITY}) desc, query_key limit ${sql.lit(QUERIES_MAX)}`.execute(db)
  return rows.map((row) => row.query_key)
}

/** Search by a user or by a visitor with an id. */
export interface IdentifiedSearch {
  readonly id: string
  readonly at: number
  readonly user_id: string | null
  readonly visitor: string | null
}

/** A click on a product by the visitor who searched. */
export interface OwnClick {
  readonly search_id: string
  readonly product_id: string
  readonly at: number
  readonly network: string | null
}

/**
 * Returns the next slice of a query's clicked searches by identified visitors, newest first.
 * @param last the last search of the slice before; null for the first slice
 */
export async function searchesBefore(
  db: Queries,
  selection: LogSelection,
  queryKey: string,
  last: IdentifiedSearch | null,
): Promise<IdentifiedSearch[]> {
  const before = last === null ? sql`` : sql`and at <= ${last.at} and (at < ${last.at} or id < ${last.id})`
  const { rows } = await sql<IdentifiedSearch>`
    select id, at, user_id, visitor from search_log
    where ${isIdentified(selection)} and query_key = ${queryKey} ${before}
    order by at desc, id desc limit ${sql.lit(SLICE_SEARCHES)}`.execute(db)
  return rows
}

const SEARCHER_COLUMNS = { search_id: 'text', user_id: 'text', visitor: 'text' } as const

/** Returns the clicks on products by the visitors who searched, in order of time. Clicks of others do not count. */
export async function ownClicks(
  { queries, portable }: Database,
  tenantId: string,
  searches: readonly IdentifiedSearch[],
): Promise<OwnClick[]> {
  const searchers = searches.map(({ id, user_id, visitor }) => ({ search_id: id, user_id, visitor }))
  // SQLite keeps the order of a cross join. Without it, SQLite reads every click for every search.
  const { rows } = await sql<OwnClick>`
    select c.search_log_id as search_id, c.product_id, min(c.at) as at, c.network
    from ${portable.jsonRows(JSON.stringify(searchers), SEARCHER_COLUMNS)} as r
    cross join search_clicks c
    where c.tenant_id = ${tenantId} and c.search_log_id = r.search_id
      and c.shown_rank is not null and c.action <> ${NO_CLICK}
      and (c.user_id = r.user_id or (r.user_id is null and c.user_id is null and c.visitor = r.visitor))
    group by c.search_log_id, c.product_id, c.network
    order by min(c.at), c.product_id`.execute(queries)
  return rows
}

/** Returns the pages that searches showed. `shown` has the product ids as a JSON list. */
export async function pagesOf(
  { queries, portable }: Database,
  tenantId: string,
  searches: readonly IdentifiedSearch[],
): Promise<{ id: string; page_offset: number; shown: string }[]> {
  const ids = searches.map(({ id }) => ({ search_id: id }))
  const { rows } = await sql<{ id: string; page_offset: number; shown: string }>`
    select l.id, l.page_offset, l.shown
    from ${portable.jsonRows(JSON.stringify(ids), { search_id: 'text' })} as r
    cross join search_log l
    where l.tenant_id = ${tenantId} and l.id = r.search_id and l.section = 'products'`.execute(queries)
  return rows
}
