import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { NO_SITE } from './clicked-search-store.ts'
import type { QueryWithBoosts } from './contract.ts'
import type { LearntQueriesOf } from './learnt.ts'

/** Row of a query with boosts; `computed_at` in milliseconds since 1970. */
export type LearntQueryRow = Omit<QueryWithBoosts, 'learnt_at'> & { readonly computed_at: number }

/** Returns the queries of a site with boosts, those with the strongest boosts first. */
export async function listLearntQueries(
  db: Queries,
  { tenantId, siteId, limit }: LearntQueriesOf,
): Promise<LearntQueryRow[]> {
  const { rows } = await sql<LearntQueryRow>`
    with learnt as (
      select query_key,
        count(case when boost > 0 then 1 end) as rising,
        count(case when boost < 0 then 1 end) as falling,
        max(abs(boost)) as strongest_boost,
        max(computed_at) as computed_at
      from click_boosts
      where tenant_id = ${tenantId} and site_id = ${siteId ?? NO_SITE} and boost <> 0
      group by query_key
      order by strongest_boost desc, query_key limit ${sql.lit(limit)}
    )
    select query_key, rising, falling, strongest_boost, computed_at,
      coalesce(
        (select query from search_log l where l.tenant_id = ${tenantId} and l.query_key = learnt.query_key
          order by at desc limit 1),
        query_key) as query
    from learnt order by strongest_boost desc, query_key`.execute(db)
  return rows
}
