import { sql } from 'kysely'
import type { TenantContext } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ClickBoost } from './learning.ts'

/** The key in a site's config that overrides the tenant's `clickLearning`. */
export const SITE_SWITCH = 'click_learning'

/** The `site_id` in `click_boosts` of searches that named no site. */
export const NO_SITE = ''

const NOTHING: ReadonlyMap<string, ClickBoost> = new Map()

/**
 * The boosts of products for one search query, read by one indexed statement. Empty when nothing was learnt, and while
 * learning is off: switching learning off for the tenant or the site takes effect at once.
 * @param siteId null for a search that names no site; the tenant's setting decides then
 * @param queryKey see `queryKeyOf`
 */
export async function boostsFor(
  { queries, portable }: Database,
  tenant: Pick<TenantContext, 'id' | 'settings'>,
  siteId: string | null,
  queryKey: string | null,
): Promise<ReadonlyMap<string, ClickBoost>> {
  const { clickLearning } = tenant.settings
  if (queryKey === null || (siteId === null && !clickLearning)) return NOTHING
  const { rows } = await sql<{ product_id: string; clicks: number; expected_clicks: number; boost: number }>`
    select b.product_id, b.clicks, b.expected_clicks, b.boost
    from click_boosts b
    left join sites s on s.tenant_id = b.tenant_id and s.id = b.site_id
    where b.tenant_id = ${tenant.id} and b.site_id = ${siteId ?? NO_SITE} and b.query_key = ${queryKey}
      and coalesce(${portable.jsonFlag(sql.ref('s.config'), SITE_SWITCH)}, ${String(clickLearning)}) = 'true'`.execute(
    queries,
  )
  return new Map(
    rows.map((row) => [row.product_id, { clicks: row.clicks, expectedClicks: row.expected_clicks, boost: row.boost }]),
  )
}
