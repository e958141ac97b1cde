import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database, Queries } from '../database/database.ts'
import type { ClickBoostRow, SearchLogRow } from '../database/tables.ts'
import { parseSettings } from '../tenants/settings.ts'
import { NO_SITE, SITE_SWITCH } from './boosts.ts'
import {
  boostOf,
  type ClickBoost,
  countRanks,
  noRanks,
  rankCurve,
  type Showing,
  type Tally,
  tally,
} from './learning.ts'
import { NO_CLICK } from './store.ts'

/** Learning looks this far back; what is older weighs less than an eighth. */
const WINDOW_DAYS = 90
const DAY_MS = 86_400_000
/** Of each site, the queries clicked most; of each query, the newest searches and the strongest boosts. */
const QUERIES_MAX = 5_000
const SEARCHES_MAX = 1_000
const BOOSTS_MAX = 100
/** Queries of one transaction: up to some thousand boosts, a few milliseconds. */
const QUERIES_PER_WRITE = 50
/** Products counted under a query and held until the curve is known: about 60 MB. */
const TALLIES_HELD_MAX = 150_000
/** A boost below it would move nothing. */
const BOOST_MIN = 0.002

/**
 * Computes a tenant's boosts anew from its log, query by query, giving way to other work between them.
 * Where learning is off, boosts of earlier times are deleted.
 * @returns how many queries have boosts now
 */
export async function learnTenant(
  database: Database,
  tenantId: string,
  options: { now: number; signal?: AbortSignal },
): Promise<number> {
  let learnt = 0
  const sites = await sitesThatLearn(database, tenantId)
  for (const siteId of sites) learnt += await learnSite(database, tenantId, siteId, options)
  if (!options.signal?.aborted) await forgetOthers(database, tenantId, sites, options.now)
  return learnt
}

/** Tenants in which learning is on somewhere, or that have boosts left from when it was. */
export async function tenantsThatLearn({ queries }: Database): Promise<string[]> {
  const rows = await queries
    .selectFrom('tenants')
    .select('tenant_id')
    .where((eb) =>
      eb.or([
        eb('settings', 'like', '%"clickLearning":true%'),
        eb(
          'tenant_id',
          'in',
          eb.selectFrom('sites').select('sites.tenant_id').where('config', 'like', `%${SITE_SWITCH}%`),
        ),
        eb('tenant_id', 'in', eb.selectFrom('click_boosts').select('click_boosts.tenant_id')),
      ]),
    )
    .orderBy('tenant_id')
    .execute()
  return rows.map((row) => row.tenant_id)
}

/** When the tenant's boosts were computed last; null when it has none. */
export async function lastLearntAt({ queries }: Database, tenantId: string): Promise<number | null> {
  const row = await queries
    .selectFrom('click_boosts')
    .select((eb) => eb.fn.max('computed_at').as('at'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row?.at ?? null
}

async function sitesThatLearn({ queries, portable }: Database, tenantId: string): Promise<string[]> {
  const tenant = await queries
    .selectFrom('tenants')
    .select('settings')
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  if (tenant === undefined) return []
  const { clickLearning } = parseSettings(tenant.settings)
  const rows = await queries
    .selectFrom('sites')
    .select(['id', portable.jsonFlag(sql.ref('config'), SITE_SWITCH).as('flag')])
    .where('tenant_id', '=', tenantId)
    .execute()
  const on = rows.filter(({ flag }) => (flag === null ? clickLearning : flag === 'true')).map((row) => row.id)
  return clickLearning ? [NO_SITE, ...on] : on
}

/**
 * The curve needs every query before the first boost can be told: what is counted of the most frequent queries is
 * held until then, of the others it is counted twice.
 */
async function learnSite(
  database: Database,
  tenantId: string,
  siteId: string,
  { now, signal }: { now: number; signal?: AbortSignal },
): Promise<number> {
  const place: Place = { tenantId, siteId, since: now - WINDOW_DAYS * DAY_MS }
  const keys = await clickedQueries(database.queries, place)
  const counts = noRanks()
  const held = new Map<string, ReadonlyMap<string, Tally>>()
  let heldTallies = 0
  for (const key of keys) {
    if (signal?.aborted) return 0
    const tallies = tally(await showingsOf(database, place, key), now)
    countRanks(tallies.values(), counts)
    if (heldTallies + tallies.size <= TALLIES_HELD_MAX) {
      held.set(key, tallies)
      heldTallies += tallies.size
    }
    await turn()
  }
  const curve = rankCurve(counts)
  let learnt = 0
  for (let i = 0; i < keys.length; i += QUERIES_PER_WRITE) {
    const batch = keys.slice(i, i + QUERIES_PER_WRITE)
    const rows: ClickBoostRow[] = []
    for (const queryKey of batch) {
      if (signal?.aborted) return learnt
      const tallies = held.get(queryKey) ?? tally(await showingsOf(database, place, queryKey), now)
      const boosts = strongest(tallies, curve)
      if (boosts.length > 0) learnt++
      for (const [productId, { clicks, expectedClicks, boost }] of boosts)
        rows.push({
          tenant_id: tenantId,
          site_id: siteId,
          query_key: queryKey,
          product_id: productId,
          clicks,
          expected_clicks: expectedClicks,
          boost,
          computed_at: now,
        })
      await turn()
    }
    await replaceBoosts(database, place, batch, rows)
  }
  return learnt
}

function strongest(products: ReadonlyMap<string, Tally>, curve: readonly number[]): [string, ClickBoost][] {
  return [...products]
    .map(([productId, of]): [string, ClickBoost] => [productId, boostOf(of, curve)])
    .filter(([, { boost }]) => Math.abs(boost) >= BOOST_MIN)
    .sort(([, one], [, other]) => Math.abs(other.boost) - Math.abs(one.boost))
    .slice(0, BOOSTS_MAX)
}

const BOOST_COLUMNS = {
  tenant_id: 'text',
  site_id: 'text',
  query_key: 'text',
  product_id: 'text',
  clicks: 'double precision',
  expected_clicks: 'double precision',
  boost: 'double precision',
  computed_at: 'bigint',
} as const satisfies Record<keyof ClickBoostRow, string>

interface Place {
  readonly tenantId: string
  readonly siteId: string
  readonly since: number
}

const inPlace = ({ tenantId, siteId, since }: Place) => sql<boolean>`
  tenant_id = ${tenantId} and section = 'products' and at >= ${since}
  and ${siteId === NO_SITE ? sql`site_id is null` : sql`site_id = ${siteId}`}`

/** Queries with a click; the others say nothing about one product against another. */
async function clickedQueries(db: Queries, place: Place): Promise<string[]> {
  const { rows } = await sql<{ query_key: string }>`
    select query_key from search_log where ${inPlace(place)} and clicks > 0 and query_key is not null
    group by query_key order by count(*) desc, query_key limit ${sql.lit(QUERIES_MAX)}`.execute(db)
  return rows.map((row) => row.query_key)
}

type LoggedSearch = Pick<SearchLogRow, 'id' | 'at' | 'page_offset' | 'shown' | 'user_id' | 'client_id' | 'clicks'>

async function showingsOf({ queries, portable }: Database, place: Place, queryKey: string): Promise<Showing[]> {
  const { rows: searches } = await sql<LoggedSearch>`
    select id, at, page_offset, shown, user_id, client_id, clicks from search_log
    where ${inPlace(place)} and query_key = ${queryKey}
    order by at desc limit ${sql.lit(SEARCHES_MAX)}`.execute(queries)
  const ids = searches.filter((search) => search.clicks > 0).map(({ id }) => ({ search_id: id }))
  // SQLite takes a cross join in its order; left to itself it reads every click for every search.
  const { rows: clicks } = await sql<{ search_id: string; product_id: string }>`
    select distinct c.search_log_id as search_id, c.product_id
    from ${portable.jsonRows(JSON.stringify(ids), { search_id: 'text' })} as r
    cross join search_clicks c
    where c.tenant_id = ${place.tenantId} and c.search_log_id = r.search_id
      and c.shown_rank is not null and c.action <> ${NO_CLICK}`.execute(queries)
  const clickedIn = Map.groupBy(clicks, (click) => click.search_id)
  return searches.map((search) => ({
    at: search.at,
    // A key that belongs to nobody is a shop's server, with another visitor behind each search.
    identity: search.user_id ?? search.client_id ?? search.id,
    shown: (JSON.parse(search.shown) as string[]).map((productId, i) => ({
      productId,
      rank: search.page_offset + i + 1,
    })),
    clicked: new Set(clickedIn.get(search.id)?.map((click) => click.product_id)),
  }))
}

async function replaceBoosts(
  database: Database,
  { tenantId, siteId }: Place,
  queryKeys: readonly string[],
  rows: readonly ClickBoostRow[],
): Promise<void> {
  await database.write(async (tx) => {
    await tx
      .deleteFrom('click_boosts')
      .where('tenant_id', '=', tenantId)
      .where('site_id', '=', siteId)
      .where('query_key', 'in', [...queryKeys])
      .execute()
    // Another process may learn the same at the same time.
    await sql`
      insert into click_boosts (${sql.join(Object.keys(BOOST_COLUMNS).map((name) => sql.ref(name)))})
      select * from ${database.portable.jsonRows(JSON.stringify(rows), BOOST_COLUMNS)} as r where true
      on conflict do nothing`.execute(tx)
  })
}

/** Deletes what this run did not compute again: queries no longer clicked, and sites where learning is off. */
async function forgetOthers(
  database: Database,
  tenantId: string,
  sites: readonly string[],
  computedAt: number,
): Promise<void> {
  await database.write((tx) =>
    tx
      .deleteFrom('click_boosts')
      .where('tenant_id', '=', tenantId)
      .where((eb) =>
        sites.length === 0
          ? eb.and([])
          : eb.or([eb('computed_at', '<', computedAt), eb('site_id', 'not in', [...sites])]),
      )
      .execute(),
  )
}
