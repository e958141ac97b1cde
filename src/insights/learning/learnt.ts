import type { Database, Queries } from '../../platform/database/database.ts'
import { lastLearntAt, listBoosts } from './boost-store.ts'
import { NO_SITE } from './clicked-search-store.ts'
import { clickedSearchesOf } from './clicked-searches.ts'
import type { LearntForQuery, QueryWithBoosts } from './contract.ts'
import { WINDOW_MS } from './learn.ts'
import { listLearntQueries } from './learnt-query-store.ts'
import { tally, votesOf } from './learning.ts'
import { DAYS_MIN, VISITORS_MIN } from './votes.ts'

/** A query of a site, and what the site says about learning. */
export interface LearntAbout {
  readonly tenantId: string
  /** Null for searches that name no site. */
  readonly siteId: string | null
  readonly queryKey: string | null
  readonly isLearning: boolean
  readonly areTrusted: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** The searches of a site whose learnt queries are listed. */
export interface LearntQueriesOf {
  readonly tenantId: string
  /** Null for searches that name no site. */
  readonly siteId: string | null
  readonly limit: number
}

/** The queries with boosts, those with the strongest first. */
export async function learntQueries(db: Queries, of: LearntQueriesOf): Promise<QueryWithBoosts[]> {
  const rows = await listLearntQueries(db, of)
  return rows.map(({ computed_at: at, ...row }) => ({ ...row, learnt_at: new Date(at).toISOString() }))
}

/** What has been learnt for a query, and from how many visitors. Reads the clicked searches of the query. */
export async function learntFor(database: Database, about: LearntAbout): Promise<LearntForQuery> {
  const { tenantId, siteId, queryKey, isLearning, areTrusted, now } = about
  const at = await lastLearntAt(database, tenantId)
  const selection = { tenantId, siteId: siteId ?? NO_SITE, since: now - WINDOW_MS, areTrusted }
  const searches = queryKey === null ? [] : await clickedSearchesOf(database, selection, queryKey)
  const boosts = queryKey === null ? [] : await listBoosts(database, { tenantId, siteId, queryKey }, isLearning)
  const tallies = tally(searches, now)
  const { visitors, days } = votesOf(searches).most
  return {
    query_key: queryKey,
    is_learning: isLearning,
    learnt_at: at === null ? null : new Date(at).toISOString(),
    visitors,
    visitors_needed: VISITORS_MIN,
    days,
    days_needed: DAYS_MIN,
    products: boosts
      .toSorted((one, other) => Math.abs(other.boost) - Math.abs(one.boost))
      .map(({ product_id, boost, clicks, expected_clicks }) => {
        const choosers = tallies.get(product_id)?.choosers
        return {
          product_id,
          boost,
          clicks,
          expected_clicks,
          visitors_clicked: choosers?.clicked.most.visitors ?? 0,
          visitors_shown: choosers?.shown.most.visitors ?? 0,
        }
      }),
  }
}
