import type { Database } from '../../platform/database/database.ts'
import type { ClickBoostRow } from '../../platform/database/tables.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import { findTenant } from '../../identity/tenants/rules.ts'
import { parseSettings } from '../../identity/tenants/settings.ts'
import { deleteOtherBoosts, lastLearntAt, listSiteFlags, replaceBoosts, tenantsThatLearn } from './boost-store.ts'
import { areEnough, boostOf, type ClickBoost, countRanks, noRanks, rankCurve, type Tally, tally } from './learning.ts'
import { learnableQueries, type LogSelection, NO_SITE } from './clicked-search-store.ts'
import { flagOf } from './site-flag.ts'
import { clickedSearchesOf } from './clicked-searches.ts'

/** Greatest age of the clicks that learning reads: 90 days. An older click would weigh less than an eighth. */
export const WINDOW_MS = 90 * 86_400_000
/** Most boosts of a query; weaker ones are left out. */
const BOOSTS_MAX = 100
/** Queries whose boosts one transaction writes: up to some thousand boosts, within a few milliseconds. */
const QUERIES_PER_WRITE = 50
/** Most tallies in memory until the curve is computed: about 60 MB. */
const TALLIES_MAX = 150_000
/** A smaller boost would move no product. */
const BOOST_MIN = 0.002

/**
 * Learns for each tenant with learning switched on, one after the other.
 * @param freshMs passes over a tenant with younger boosts, in milliseconds, for which another process has just learnt
 */
export async function learnForAll(
  database: Database,
  { freshMs, signal }: { freshMs: number; signal: AbortSignal },
): Promise<void> {
  for (const tenantId of await tenantsThatLearn(database)) {
    if (signal.aborted) return
    const last = await lastLearntAt(database, tenantId)
    const now = Date.now()
    if (last === null || now - last >= freshMs) await learnTenant(database, tenantId, { now, signal })
  }
}

/**
 * Computes all boosts of a tenant from its log, query by query, with pauses for other work. Deletes earlier boosts of
 * sites where learning is now off.
 * @returns number of queries with boosts
 */
export async function learnTenant(
  database: Database,
  tenantId: string,
  options: { now: number; signal?: AbortSignal },
): Promise<number> {
  let queries = 0
  const sites = await sitesThatLearn(database, tenantId)
  const since = options.now - WINDOW_MS
  for (const site of sites) queries += await learnSite(database, { tenantId, since, ...site }, options)
  const siteIds = sites.map(({ siteId }) => siteId)
  if (!options.signal?.aborted) await deleteOtherBoosts(database, tenantId, siteIds, options.now)
  return queries
}

/** Returns the sites whose searches a tenant learns from, and whether their visitor ids are trusted. */
async function sitesThatLearn(
  database: Database,
  tenantId: string,
): Promise<Pick<LogSelection, 'siteId' | 'areTrusted'>[]> {
  const tenant = await findTenant(database.queries, tenantId)
  if (tenant === null) return []
  const { clickLearning, trustedVisitors } = parseSettings(tenant.settings)
  const sites = (await listSiteFlags(database, tenantId))
    .filter(({ learns }) => flagOf(learns, clickLearning))
    .map(({ id, trusts }) => ({ siteId: id, areTrusted: flagOf(trusts, trustedVisitors) }))
  return clickLearning ? [{ siteId: NO_SITE, areTrusted: trustedVisitors }, ...sites] : sites
}

/**
 * Learns from the searches of a site. The curve of click rates needs the tallies of every query before the first boost
 * can be computed. Tallies of the most frequent queries stay in memory until then; those of the others are counted a
 * second time.
 * @returns number of queries with boosts
 */
async function learnSite(
  database: Database,
  selection: LogSelection,
  { now, signal }: { now: number; signal?: AbortSignal },
): Promise<number> {
  const { tenantId, siteId } = selection
  const count = async (queryKey: string): Promise<ReadonlyMap<string, Tally> | null> => {
    const searches = await clickedSearchesOf(database, selection, queryKey, signal)
    return areEnough(searches) ? tally(searches, now) : null
  }
  const counts = noRanks()
  const keys: string[] = []
  const cache = new Map<string, ReadonlyMap<string, Tally>>()
  let cachedTallies = 0
  for (const key of await learnableQueries(database.queries, selection)) {
    if (signal?.aborted) return 0
    const tallies = await count(key)
    await threadSlices.pause(tenantId)
    if (tallies === null) continue
    keys.push(key)
    countRanks(tallies.values(), counts)
    if (cachedTallies + tallies.size > TALLIES_MAX) continue
    cache.set(key, tallies)
    cachedTallies += tallies.size
  }
  const curve = rankCurve(counts)
  let queries = 0
  for (let i = 0; i < keys.length; i += QUERIES_PER_WRITE) {
    const batch = keys.slice(i, i + QUERIES_PER_WRITE)
    const rows: ClickBoostRow[] = []
    for (const queryKey of batch) {
      if (signal?.aborted) return queries
      const boosts = strongest(cache.get(queryKey) ?? (await count(queryKey)) ?? new Map<string, Tally>(), curve)
      if (boosts.length > 0) queries++
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
      await threadSlices.pause(tenantId)
    }
    await replaceBoosts(database, selection, batch, rows)
  }
  return queries
}

/** Returns the strongest boosts of products for a query. */
function strongest(products: ReadonlyMap<string, Tally>, curve: readonly number[]): [string, ClickBoost][] {
  return [...products]
    .map(([productId, counts]): [string, ClickBoost] => [productId, boostOf(counts, curve)])
    .filter(([, { boost }]) => Math.abs(boost) >= BOOST_MIN)
    .sort(([, one], [, other]) => Math.abs(other.boost) - Math.abs(one.boost))
    .slice(0, BOOSTS_MAX)
}
