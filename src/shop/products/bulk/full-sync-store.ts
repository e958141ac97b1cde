import type { Queries } from '../../../platform/database/database.ts'
import type { Portable } from '../../../platform/database/portable.ts'
import { pageOf, textBytes } from '../../../platform/database/page.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import { inRuns } from '../../../platform/database/runs.ts'
import { TEXTS } from '../store.ts'

/** What a full sync answers for: the products of a site that the same channel brings. */
export interface SyncScope {
  readonly tenantId: string
  readonly siteId: string
  readonly source: string
}

/** What a full sync looks at of a product of its site, whatever brings it and whether it is retired. */
export type SyncedRow = Pick<
  ProductRow,
  'id' | 'external_id' | 'source' | 'created_at' | 'last_synced_at' | 'sync_run' | 'retired_at'
>

/** A product's place among those of its site. */
export type SyncPosition = Pick<ProductRow, 'id' | 'created_at'>

const LOOKED_AT = ['id', 'external_id', 'source', 'created_at', 'last_synced_at', 'sync_run', 'retired_at'] as const
const PAGE_ROWS = 500
/** What is looked at of a row stands behind its text, which SQLite has to pass. */
const PAGE_BYTES = 2 * 1_024 * 1_024

/**
 * Some products of the site, oldest first: as many as one statement can look at in a few milliseconds.
 * @returns the rows, and where the next page begins; null after the last one
 */
export async function pageOfSite(
  db: Queries,
  portable: Portable,
  { tenantId, siteId }: SyncScope,
  after: SyncPosition | null,
): Promise<{ rows: SyncedRow[]; next: SyncPosition | null }> {
  let query = db.selectFrom('products').where('tenant_id', '=', tenantId).where('site_id', '=', siteId)
  if (after !== null)
    query = query.where((eb) =>
      eb.or([
        eb('created_at', '>', after.created_at),
        eb('created_at', '=', after.created_at).and('id', '>', after.id),
      ]),
    )
  const sizes = await query
    .select(['id', 'created_at', textBytes(TEXTS).as('bytes')])
    .orderBy('created_at')
    .orderBy('id')
    .limit(PAGE_ROWS + 1)
    .execute()
  const page = pageOf(sizes, PAGE_ROWS, PAGE_BYTES)
  const ids = page.map(({ id }) => id)
  const rows = await findSynced(db, portable, tenantId, ids)
  return { rows, next: sizes.length > page.length ? (page.at(-1) ?? null) : null }
}

/** Those of the ids that are there, in no particular order. */
export async function findSynced(
  db: Queries,
  portable: Portable,
  tenantId: string,
  ids: readonly string[],
): Promise<SyncedRow[]> {
  return db
    .selectFrom('products')
    .select(LOOKED_AT)
    .where('tenant_id', '=', tenantId)
    .where((eb) => portable.isOneOf(eb.ref('id'), ids))
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
