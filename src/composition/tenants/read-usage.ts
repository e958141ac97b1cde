import type { Database, Queries } from '../../platform/database/database.ts'
import type { TenantUsageRow, UsageDayRow } from '../../platform/database/tables.ts'
import type { UsageFigures, UsageDays, Use } from './usage-figures.ts'
import * as store from './usage-store.ts'

/** Returns the figures of these tenants over some days, sorted by their ids. */
export function usageOfTenants(db: Queries, days: UsageDays, tenantIds: readonly string[]): Promise<UsageFigures[]> {
  return store.listUsage(db, days, tenantIds)
}

/**
 * Returns a tenant's use on each day, oldest first, without days of no use; and the last count, null before the first.
 */
export async function usageOfTenant(
  database: Database,
  tenantId: string,
  days: UsageDays,
): Promise<{ days: (Use & Pick<UsageDayRow, 'day'>)[]; counted: TenantUsageRow | null }> {
  const byDay = await store.usageByDay(database.queries, tenantId, days)
  return { days: byDay, counted: await store.findUsage(database, tenantId) }
}
