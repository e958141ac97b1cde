import type { Queries } from '../../../platform/database/database.ts'
import type { PageOf } from '../../../platform/database/page.ts'
import type { ProductSyncRunRow } from '../../../platform/database/tables.ts'

/** Inserts a run, or replaces its stored state. */
export async function putRun(tx: Queries, row: ProductSyncRunRow): Promise<void> {
  const { tenant_id: _tenant, id: _id, site_id: _site, ...rest } = row
  await tx
    .insertInto('product_sync_runs')
    .values(row)
    .onConflict((c) => c.columns(['tenant_id', 'id']).doUpdateSet(rest))
    .execute()
}

/** Lists runs of a site, newest first: one more than the page has, if there is one. */
export async function listRuns(
  db: Queries,
  tenantId: string,
  siteId: string,
  { limit, after }: PageOf<string>,
): Promise<ProductSyncRunRow[]> {
  let query = db
    .selectFrom('product_sync_runs')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('site_id', '=', siteId)
  if (after !== null) query = query.where('id', '<', after)
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

/** Deletes all but the newest `kept` runs of the row's site and kind. */
export async function forgetOldRuns(
  tx: Queries,
  { tenant_id: tenantId, site_id: siteId, is_full: isFull }: ProductSyncRunRow,
  kept: number,
): Promise<void> {
  const newestToDelete = await tx
    .selectFrom('product_sync_runs')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('site_id', '=', siteId)
    .where('is_full', '=', isFull)
    .orderBy('id', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst()
  if (newestToDelete === undefined) return
  await tx
    .deleteFrom('product_sync_runs')
    .where('tenant_id', '=', tenantId)
    .where('site_id', '=', siteId)
    .where('is_full', '=', isFull)
    .where('id', '<=', newestToDelete.id)
    .execute()
}
