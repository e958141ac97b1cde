import type { Database, Queries } from '../../platform/database/database.ts'
import { lastLearntAt, listBoosts } from './boost-store.ts'
import { NO_SITE } from './clicked-search-store.ts'
import { clickedSearchesOf } from './clicked-searches.ts'
import type { LearntForQuery, QueryWithBoosts } from './contract.ts'
import { WINDOW_MS } from './learn.ts'
import { listLearntQueries } from './learnt-query-store.ts'
import { tally, votesOf } from './learning.ts'
import { DAYS_MIN, VISITORS_MIN } from './votes.ts'

/** Query of a site, and the settings of learning that are in force there. */
export interface LearntAbout {
  readonly tenantId: string
  /** Null for searches that name no site. */
  readonly siteId: string | null
  /** Null for a query of white space. */
  readonly queryKey: string | null
  readonly isLearning: boolean
  readonly areTrusted: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Searches for which a list names the queries with boosts, and the length of the list. */
export interface LearntQueriesOf {
  readonly tenantId: string
  /** Null for searches that name no site. */
  readonly siteId: string | null
  readonly limit: number
}

/** Returns the queries of a site with boosts, those with the strongest boosts first. */
export async function learntQueries(db: Queries, of: LearntQueriesOf): Promise<QueryWithBoosts[]> {
  const rows = await listLearntQueries(db, of)
  return rows.map(({ computed_at: at, ...row }) => ({ ...row, learnt_at: new Date(at).toISOString() }))
}

/** Returns the boosts for a query, and from how many visitors they come. Reads the clicked searches of the query. */
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
