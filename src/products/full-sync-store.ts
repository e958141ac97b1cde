import type { Queries } from '../database/database.ts'
import type { ProductRow } from '../database/tables.ts'
import { inRuns } from './runs.ts'

/** What a full sync answers for: the products of a site that the same channel brings. */
export interface SyncScope {
  readonly tenantId: string
  readonly siteId: string
  readonly source: string
}

function inScope(db: Queries, { tenantId, siteId, source }: SyncScope) {
  return db
    .selectFrom('products')
    .where('tenant_id', '=', tenantId)
    .where('site_id', '=', siteId)
    .where('source', '=', source)
    .where('retired_at', 'is', null)
}

/** When a product of the scope was synced last, milliseconds since 1970, 0 when there is none; and by the last run of all. */
export async function lastSync(db: Queries, scope: SyncScope): Promise<{ at: number; run: string | null }> {
  const row = await inScope(db, scope)
    .select((eb) => [eb.fn.max('last_synced_at').as('at'), eb.fn.max('sync_run').as('run')])
    .executeTakeFirst()
  return { at: row?.at ?? 0, run: row?.run ?? null }
}

/**
 * Products of the scope, after `afterId`, that neither the run nor a later one named, and that nobody has written since
 * it began. The ids of runs are in the order of their beginnings.
 */
export async function unnamed(
  db: Queries,
  scope: SyncScope,
  { run, startedAt }: { run: string; startedAt: number },
  afterId: string,
  limit: number,
): Promise<Pick<ProductRow, 'id' | 'external_id'>[]> {
  return inScope(db, scope)
    .select(['id', 'external_id'])
    .where('id', '>', afterId)
    .where((eb) => eb.or([eb('sync_run', 'is', null), eb('sync_run', '<', run)]))
    .where((eb) => eb.or([eb('last_synced_at', 'is', null), eb('last_synced_at', '<', startedAt)]))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Takes products out of lists, reads and search; they are kept for the day they are named again. */
export async function retireProducts(
  tx: Queries,
  tenantId: string,
  ids: readonly string[],
  now: number,
  seq: number,
): Promise<void> {
  await inRuns(ids, (some) =>
    tx
      .updateTable('products')
      .set({ retired_at: now, parent_product_id: null, seq })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', some)
      .execute(),
  )
}

/**
 * Notes that a run named these products, though with a line that could not be stored. What a later run has noted
 * stays: of two at once either would otherwise take the other's word away.
 */
export async function markNamed(
  tx: Queries,
  { tenantId, siteId }: SyncScope,
  externalIds: readonly string[],
  run: string,
): Promise<void> {
  await inRuns(externalIds, (some) =>
    tx
      .updateTable('products')
      .set({ sync_run: run })
      .where('tenant_id', '=', tenantId)
      .where('site_id', '=', siteId)
      .where('external_id', 'in', some)
      .where((eb) => eb.or([eb('sync_run', 'is', null), eb('sync_run', '<', run)]))
      .execute(),
  )
}
