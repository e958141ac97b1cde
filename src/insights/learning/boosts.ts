import type { TenantContext } from '../../platform/access/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { listBoosts } from './boost-store.ts'
import type { ClickBoost } from './learning.ts'

const NO_BOOSTS: ReadonlyMap<string, ClickBoost> = new Map()

/**
 * Returns the boosts of products for a query. The map is empty when nothing was learnt, and while learning is off:
 * switching learning off for the tenant or the site takes effect at once.
 * @param siteId null for a search that names no site; the tenant's setting decides then
 * @param queryKey see `queryKeyOf`
 */
export async function boostsFor(
  database: Database,
  tenant: Pick<TenantContext, 'id' | 'settings'>,
  siteId: string | null,
  queryKey: string | null,
): Promise<ReadonlyMap<string, ClickBoost>> {
  const { clickLearning } = tenant.settings
  if (queryKey === null || (siteId === null && !clickLearning)) return NO_BOOSTS
  const rows = await listBoosts(database, { tenantId: tenant.id, siteId, queryKey }, clickLearning)
  return new Map(
    rows.map((row) => [row.product_id, { clicks: row.clicks, expectedClicks: row.expected_clicks, boost: row.boost }]),
  )
}
