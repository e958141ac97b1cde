import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { JsonColumns, Portable } from '../../platform/database/portable.ts'
import type { SearchClickRow, SearchLogRow } from '../../platform/database/tables.ts'
import { NO_CLICK } from './click-kinds.ts'

export type NewSearch = Omit<SearchLogRow, 'clicks' | 'first_rank'>

export type NewClick = Omit<SearchClickRow, 'search_known' | 'shown_rank' | 'site_id'>

export interface LogBatch {
  readonly searches: readonly NewSearch[]
  readonly clicks: readonly NewClick[]
}

const SEARCH_COLUMNS = {
  tenant_id: 'text',
  id: 'text',
  section: 'text',
  at: 'bigint',
  site_id: 'text',
  mode: 'text',
  query: 'text',
  query_key: 'text',
  page_offset: 'bigint',
  hits: 'bigint',
  shown: 'text',
  user_id: 'text',
  client_id: 'text',
  duration_ms: 'double precision',
  visitor: 'text',
} as const satisfies Record<keyof NewSearch, string>

const CLICK_COLUMNS = {
  tenant_id: 'text',
  id: 'text',
  at: 'bigint',
  search_log_id: 'text',
  action: 'text',
  product_id: 'text',
  section: 'text',
  rank: 'bigint',
  score: 'double precision',
  user_id: 'text',
  client_id: 'text',
  visitor: 'text',
  network: 'text',
} as const satisfies Record<keyof NewClick, string>

/**
 * Writes a batch in one transaction, and attaches clicks to their searches. A click may arrive before its search, and
 * from another process. Writing a batch twice changes nothing.
 */
export async function writeBatch(database: Database, { searches, clicks }: LogBatch): Promise<void> {
  const { portable } = database
  const refs = [
    ...searches.map(({ tenant_id, id }) => ({ tenant_id, search_id: id })),
    ...clicks.map(({ tenant_id, search_log_id }) => ({ tenant_id, search_id: search_log_id })),
  ]
  await database.write(async (tx) => {
    if (searches.length > 0) await insertRows(tx, portable, 'search_log', SEARCH_COLUMNS, searches, { clicks: 0 })
    if (clicks.length > 0) await insertRows(tx, portable, 'search_clicks', CLICK_COLUMNS, clicks, { search_known: 0 })
    await attachClicks(tx, portable, refs)
  })
  // Two processes that write a click and its search at once see each other's row only when both are committed.
  await database.write((tx) => attachClicks(tx, portable, refs))
}

/** Id of the site that row `r` names; null when there is no such site. */
const EXISTING_SITE = sql`(select s.id from sites s where s.tenant_id = r.tenant_id and s.id = r.site_id)`

/**
 * Inserts rows, without those of deleted tenants. An unknown site becomes null: searches may name any site, and each
 * made-up one would add a row to the figures by site.
 */
async function insertRows(
  tx: Tx,
  portable: Portable,
  table: 'search_log' | 'search_clicks',
  columns: JsonColumns,
  rows: readonly object[],
  constants: Readonly<Record<string, number>>,
): Promise<void> {
  const names = Object.keys(columns)
  const into = sql.join([...names, ...Object.keys(constants)].map((name) => sql.ref(name)))
  const values = sql.join([
    ...names.map((name) => (name === 'site_id' ? EXISTING_SITE : sql.ref(`r.${name}`))),
    ...Object.values(constants).map((value) => sql.lit(value)),
  ])
  await sql`
    insert into ${sql.table(table)} (${into})
    select ${values} from ${portable.jsonRows(JSON.stringify(rows), columns)} as r
    where exists (select 1 from tenants where tenants.tenant_id = r.tenant_id)
    on conflict do nothing`.execute(tx)
}

/** Names a search to which clicks may have to be attached. */
interface SearchRef {
  readonly tenant_id: string
  readonly search_id: string
}

/** Click that is not attached to its search yet. */
interface OpenClick extends SearchRef {
  readonly click_id: string
  readonly action: string
  readonly product_id: string
  readonly click_section: string
}

/** Section of a logged search, with the rank of each id on its page. */
interface LoggedSection extends SearchRef {
  readonly section: string
  readonly site_id: string | null
  readonly ranks: ReadonlyMap<string, number>
}

const REF_COLUMNS = { tenant_id: 'text', search_id: 'text' } as const

/**
 * Attaches clicks to their searches and counts them. Clicks on unknown searches are not read: a client that makes up
 * ids, or uses one id for everything, must not slow down logging for other clients.
 */
async function attachClicks(tx: Tx, portable: Portable, refs: readonly SearchRef[]): Promise<void> {
  const searches = distinct(refs)
  if (searches.length === 0) return
  // The cross join makes SQLite start with the few rows of the batch.
  const { rows: open } = await sql<OpenClick>`
    select c.tenant_id, c.id as click_id, c.search_log_id as search_id, c.action, c.product_id, c.section as click_section
    from ${portable.jsonRows(JSON.stringify(searches), REF_COLUMNS)} as r cross join search_clicks c
    where exists (select 1 from search_log l where l.tenant_id = r.tenant_id and l.id = r.search_id)
      and c.tenant_id = r.tenant_id and c.search_log_id = r.search_id and c.search_known = 0
    order by c.at, c.id`.execute(tx)
  if (open.length === 0) return
  const sections = await sectionsOf(tx, portable, distinct(open))
  const matches = open.flatMap((click) => {
    const target = choose(click, sections.get(keyOf(click)) ?? [])
    if (target === null) return []
    const { section, site_id: log_site_id, ranks } = target
    return [{ ...click, section, log_site_id, shown_rank: ranks.get(click.product_id) ?? null }]
  })
  const { rows: changes } = await sql<{ id: string }>`
    update search_clicks set search_known = 1, shown_rank = r.shown_rank, site_id = r.log_site_id
    from ${portable.jsonRows(JSON.stringify(matches), ATTACHED_COLUMNS)} as r
    where search_clicks.tenant_id = r.tenant_id and search_clicks.id = r.click_id and search_clicks.search_known = 0
    returning id`.execute(tx)
  // Another process may have attached the same click. The process that changed the row counts the click.
  const ownIds = new Set(changes.map((row) => row.id))
  await countClicks(
    tx,
    portable,
    matches.filter((click) => ownIds.has(click.click_id) && click.action !== NO_CLICK),
  )
}

function keyOf({ tenant_id, search_id }: SearchRef): string {
  return `${tenant_id} ${search_id}`
}

function distinct(searches: readonly SearchRef[]): SearchRef[] {
  const byKey = new Map(searches.map((each) => [keyOf(each), each]))
  return Array.from(byKey.values(), ({ tenant_id, search_id }) => ({ tenant_id, search_id }))
}

/** Returns the sections of searches, by `keyOf`. */
async function sectionsOf(
  tx: Tx,
  portable: Portable,
  searches: readonly SearchRef[],
): Promise<Map<string, LoggedSection[]>> {
  const { rows } = await sql<Omit<LoggedSection, 'ranks'> & { readonly page_offset: number; readonly shown: string }>`
    select l.tenant_id, l.id as search_id, l.section, l.site_id, l.page_offset, l.shown
    from ${portable.jsonRows(JSON.stringify(searches), REF_COLUMNS)} as r cross join search_log l
    where l.tenant_id = r.tenant_id and l.id = r.search_id`.execute(tx)
  const sections = rows.map(({ page_offset: before, shown, ...section }) => ({
    ...section,
    // Reversed, so that an id that occurs twice keeps its better rank.
    ranks: new Map((JSON.parse(shown) as string[]).map((id, i) => [id, before + i + 1] as const).reverse()),
  }))
  return Map.groupBy(sections, keyOf)
}

const ATTACHED_COLUMNS = { tenant_id: 'text', click_id: 'text', shown_rank: 'bigint', log_site_id: 'text' } as const

const COUNTED_COLUMNS = {
  tenant_id: 'text',
  search_id: 'text',
  log_section: 'text',
  more: 'bigint',
  rank: 'bigint',
} as const

/**
 * Returns the section of a search that a click belongs to: the section that the click names, else the section that
 * showed the product, else the first.
 */
function choose(click: OpenClick, sections: readonly LoggedSection[]): LoggedSection | null {
  const fit = ({ section, ranks }: LoggedSection): number =>
    (section === click.click_section ? 2 : 0) + (ranks.has(click.product_id) ? 1 : 0)
  let best: LoggedSection | null = null
  for (const section of sections) if (best === null || fit(section) > fit(best)) best = section
  return best
}

/** Adds clicks to the counts of their searches. */
async function countClicks(
  tx: Tx,
  portable: Portable,
  clicks: readonly (OpenClick & { readonly section: string; readonly shown_rank: number | null })[],
): Promise<void> {
  const bySearch = Map.groupBy(clicks, (click) => `${click.tenant_id} ${click.search_id} ${click.section}`)
  if (bySearch.size === 0) return
  const counts = [...bySearch.values()].map((group) => ({
    tenant_id: group[0].tenant_id,
    search_id: group[0].search_id,
    log_section: group[0].section,
    more: group.length,
    rank: group.find((click) => click.shown_rank !== null)?.shown_rank ?? null,
  }))
  await sql`
    update search_log set clicks = clicks + r.more, first_rank = coalesce(first_rank, r.rank)
    from ${portable.jsonRows(JSON.stringify(counts), COUNTED_COLUMNS)} as r
    where search_log.tenant_id = r.tenant_id and search_log.id = r.search_id and search_log.section = r.log_section`.execute(
    tx,
  )
}

/** Deletes the oldest searches or clicks before `before`, at most `limit`. @returns number of deleted rows */
export async function deleteBefore(
  tx: Tx,
  table: 'search_log' | 'search_clicks',
  tenantId: string,
  before: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where tenant_id = ${tenantId} and id in (
      select id from ${sql.table(table)} where tenant_id = ${tenantId} and at < ${before}
      order by at limit ${sql.lit(limit)}
    ) and at < ${before}`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
