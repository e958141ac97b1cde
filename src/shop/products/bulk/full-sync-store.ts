import type { Queries } from '../../../platform/database/database.ts'
import type { Portable } from '../../../platform/database/portable.ts'
import { pageOf, textBytes } from '../../../platform/database/page.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import { inRuns } from '../../../platform/database/runs.ts'
import { TEXTS } from '../store.ts'

/** Scope of a full sync: the products of a site that come from one source. */
export interface SyncScope {
  readonly tenantId: string
  readonly siteId: string
  readonly source: string
}

/** Columns of a product that a full sync reads. The product may come from another source or be retired. */
export type SyncedRow = Pick<
  ProductRow,
  'id' | 'external_id' | 'source' | 'created_at' | 'last_synced_at' | 'sync_run' | 'retired_at'
>

/** Place of a product in the order of a site's products. */
export type SyncPosition = Pick<ProductRow, 'id' | 'created_at'>

const SYNC_COLUMNS = ['id', 'external_id', 'source', 'created_at', 'last_synced_at', 'sync_run', 'retired_at'] as const
const PAGE_ROWS = 500
/** Most bytes of text on one page: SQLite has to skip the text of a row to read the columns after it. */
const PAGE_BYTES = 2 * 1_024 * 1_024

/**
 * Returns a page of products of the site, oldest first: as many as one statement reads in a few milliseconds.
 * @returns the rows, and the place after which the next page begins; null on the last page
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

/** Returns the rows of the ids that exist, in no particular order. */
export async function findSynced(
  db: Queries,
  portable: Portable,
  tenantId: string,
  ids: readonly string[],
): Promise<SyncedRow[]> {
  return db
    .selectFrom('products')
    .select(SYNC_COLUMNS)
    .where('tenant_id', '=', tenantId)
    .where((eb) => portable.isOneOf(eb.ref('id'), ids))
    .execute()
}

/** Retires products: lists, reads and search leave them out. Their rows stay, in case a later sync names them. */
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
      .set({ retired_at: now, parent_product_id: null, variants_availability: null, seq })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', some)
      .execute(),
  )
}

/**
 * Marks products as named by a run, for lines that could not be stored. A mark of a later run stays, so that two runs
 * at once do not undo each other's marks.
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
