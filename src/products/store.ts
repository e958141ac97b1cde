import type { Queries } from '../database/database.ts'
import { pageOf, textBytes } from '../database/page.ts'
import type { ProductRow } from '../database/tables.ts'
import { inRuns } from './runs.ts'

export interface ProductFilters {
  readonly siteId?: string
  readonly externalId?: string
  readonly brand?: string
  readonly category?: string
  readonly availability?: string
  readonly language?: string
  readonly source?: string
  readonly isVariant?: boolean
  readonly isParent?: boolean
  readonly parentId?: string
}

/** Place of a product in the list, newest first. */
export interface ListPosition {
  readonly createdAt: number
  readonly id: string
}

/** What a sync needs to know of a product to leave it alone. */
type SyncState = Pick<ProductRow, 'id' | 'external_id' | 'sync_hash'>

function products(db: Queries, tenantId: string) {
  return db.selectFrom('products').where('tenant_id', '=', tenantId)
}

/** A product that is there; one that a full sync has retired is not. */
export async function findProduct(db: Queries, tenantId: string, id: string): Promise<ProductRow | null> {
  const row = await products(db, tenantId)
    .selectAll()
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Those of the ids that are there, in no particular order. */
export async function findProducts(db: Queries, tenantId: string, ids: readonly string[]): Promise<ProductRow[]> {
  if (ids.length === 0) return []
  return products(db, tenantId)
    .selectAll()
    .where('id', 'in', [...ids])
    .where('retired_at', 'is', null)
    .execute()
}

/** What a search has to know of a product that it showed before. */
export type HitState = Pick<ProductRow, 'id' | 'seq' | 'last_synced_at' | 'parent_product_id'>

/** The states of those of the ids that are there, in no particular order. */
export async function hitStates(db: Queries, tenantId: string, ids: readonly string[]): Promise<HitState[]> {
  if (ids.length === 0) return []
  return products(db, tenantId)
    .select(['id', 'seq', 'last_synced_at', 'parent_product_id'])
    .where('id', 'in', [...ids])
    .where('retired_at', 'is', null)
    .execute()
}

/** A product whatever its state, for a restore. */
export async function findAnyProduct(db: Queries, tenantId: string, id: string): Promise<ProductRow | null> {
  const row = await products(db, tenantId).selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Products of a site by what the shop calls them, retired ones among them. */
export async function findByExternalIds(
  db: Queries,
  tenantId: string,
  siteId: string,
  externalIds: readonly string[],
): Promise<ProductRow[]> {
  const rows: ProductRow[] = []
  await inRuns(externalIds, async (some) => {
    rows.push(...(await bySite(db, tenantId, siteId).selectAll().where('external_id', 'in', some).execute()))
  })
  return rows
}

/** The products among these that are there, with the hash of their last sync. */
export async function syncStates(
  db: Queries,
  tenantId: string,
  siteId: string,
  externalIds: readonly string[],
): Promise<SyncState[]> {
  const states: SyncState[] = []
  await inRuns(externalIds, async (some) => {
    const rows = await bySite(db, tenantId, siteId)
      .select(['id', 'external_id', 'sync_hash'])
      .where('external_id', 'in', some)
      .where('retired_at', 'is', null)
      .execute()
    states.push(...rows)
  })
  return states
}

function bySite(db: Queries, tenantId: string, siteId: string) {
  return products(db, tenantId).where('site_id', '=', siteId)
}

/**
 * Notes that a sync named these products and had nothing new to say.
 * @returns how many are still there to be noted
 */
export async function markSynced(
  tx: Queries,
  tenantId: string,
  ids: readonly string[],
  { now, run }: { now: number; run: string | null },
): Promise<number> {
  let marked = 0
  await inRuns(ids, async (some) => {
    const result = await tx
      .updateTable('products')
      .set(run === null ? { last_synced_at: now } : { last_synced_at: now, sync_run: run })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', some)
      .where('retired_at', 'is', null)
      .executeTakeFirst()
    marked += Number(result.numUpdatedRows)
  })
  return marked
}

/** Inserts new rows and replaces those that are there. No row may be in it twice. */
export async function putProducts(tx: Queries, rows: readonly ProductRow[]): Promise<void> {
  await inRuns(rows, (some) =>
    tx
      .insertInto('products')
      .values(some)
      .onConflict((c) =>
        c.columns(['tenant_id', 'id']).doUpdateSet((eb) => {
          const columns = Object.keys(some[0]).filter((name) => name !== 'tenant_id' && name !== 'id')
          return Object.fromEntries(columns.map((name) => [name, eb.ref(`excluded.${name}` as 'excluded.seq')]))
        }),
      )
      .execute(),
  )
}

/** Ids of the products that are there, by what the shop calls them. */
export async function findParentIds(
  db: Queries,
  tenantId: string,
  siteId: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  const states = await syncStates(db, tenantId, siteId, externalIds)
  return new Map(states.map((row) => [row.external_id!, row.id]))
}

/** Gives variants that waited for these parents their parent's id. */
export async function linkVariants(
  tx: Queries,
  tenantId: string,
  siteId: string,
  parents: ReadonlyMap<string, string>,
  seq: number,
): Promise<void> {
  const waiting = new Set<string>()
  await inRuns([...parents.keys()], async (some) => {
    const rows = await bySite(tx, tenantId, siteId)
      .select('parent_external_id')
      .distinct()
      .where('parent_external_id', 'in', some)
      .where('parent_product_id', 'is', null)
      .execute()
    for (const row of rows) waiting.add(row.parent_external_id!)
  })
  for (const externalId of waiting) {
    await tx
      .updateTable('products')
      .set({ parent_product_id: parents.get(externalId), seq })
      .where('tenant_id', '=', tenantId)
      .where('site_id', '=', siteId)
      .where('parent_external_id', '=', externalId)
      .where('parent_product_id', 'is', null)
      .execute()
  }
}

/** Variants of products that are gone wait for them again. */
export async function unlinkVariants(
  tx: Queries,
  tenantId: string,
  siteId: string,
  parentExternalIds: readonly string[],
  seq: number,
): Promise<void> {
  await inRuns(parentExternalIds, (some) =>
    tx
      .updateTable('products')
      .set({ parent_product_id: null, seq })
      .where('tenant_id', '=', tenantId)
      .where('site_id', '=', siteId)
      .where('parent_external_id', 'in', some)
      .where('parent_product_id', 'is not', null)
      .execute(),
  )
}

export async function deleteVectors(tx: Queries, tenantId: string, ids: readonly string[]): Promise<void> {
  await inRuns(ids, (some) =>
    tx.deleteFrom('product_vectors').where('tenant_id', '=', tenantId).where('product_id', 'in', some).execute(),
  )
}

/** Removes a product with its vectors and leaves a tombstone for the indexes. */
export async function removeProduct(tx: Queries, tenantId: string, id: string, seq: number): Promise<void> {
  await tx.deleteFrom('products').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  await tx
    .deleteFrom('embedding_jobs')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'product')
    .where('item_id', '=', id)
    .execute()
  await tx.insertInto('product_tombstones').values({ tenant_id: tenantId, product_id: id, seq }).execute()
}

export async function forgetTombstone(tx: Queries, tenantId: string, id: string): Promise<void> {
  await tx.deleteFrom('product_tombstones').where('tenant_id', '=', tenantId).where('product_id', '=', id).execute()
}

/** Removes for good what full syncs have retired from a site. */
export async function forgetRetiredOfSite(tx: Queries, tenantId: string, siteId: string, seq: number): Promise<void> {
  const rows = await bySite(tx, tenantId, siteId).select('id').where('retired_at', 'is not', null).execute()
  for (const { id } of rows) await removeProduct(tx, tenantId, id, seq)
}

export async function siteHasProducts(db: Queries, tenantId: string, siteId: string): Promise<boolean> {
  const row = await bySite(db, tenantId, siteId)
    .select('id')
    .where('retired_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function filtered(db: Queries, tenantId: string, filters: ProductFilters) {
  let query = products(db, tenantId).where('retired_at', 'is', null)
  const equal = {
    site_id: filters.siteId,
    external_id: filters.externalId,
    brand: filters.brand,
    category: filters.category,
    availability: filters.availability,
    language: filters.language,
    source: filters.source,
    parent_product_id: filters.parentId,
    is_variant: filters.isVariant === undefined ? undefined : Number(filters.isVariant),
    is_parent: filters.isParent === undefined ? undefined : Number(filters.isParent),
  }
  for (const [column, value] of Object.entries(equal)) {
    if (value !== undefined) query = query.where(column as 'site_id', '=', value as string)
  }
  return query
}

/** Whatever of a product may be long. */
const TEXTS = [
  'title',
  'description',
  'short_description',
  'category',
  'attributes',
  'properties',
  'image_url',
  'additional_images',
  'product_url',
  'parent_external_id',
  'similarity_text',
  'search_keywords',
  'embedding_text_description',
  'embedding_text_properties',
  'embedding_text_attributes',
]

/**
 * Newest first, from after `after` on. A page ends by its limit or by its bytes; lengths are looked at first, so
 * that what does not fit is not read.
 * @returns the rows, and where the next page begins; null after the last one
 */
export async function listProducts(
  db: Queries,
  tenantId: string,
  filters: ProductFilters,
  { limit, after }: { limit: number; after: ListPosition | null },
): Promise<{ rows: ProductRow[]; next: ListPosition | null }> {
  let query = filtered(db, tenantId, filters)
  if (after !== null) {
    query = query.where((eb) =>
      eb.or([eb('created_at', '<', after.createdAt), eb('created_at', '=', after.createdAt).and('id', '<', after.id)]),
    )
  }
  const sizes = await query
    .select(['id', 'created_at', textBytes(TEXTS).as('bytes')])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = pageOf(sizes, limit)
  const byId = new Map<string, ProductRow>()
  await inRuns(
    page.map((row) => row.id),
    async (some) => {
      for (const row of await findProducts(db, tenantId, some)) byId.set(row.id, row)
    },
  )
  const last = page.at(-1)
  return {
    rows: page.flatMap(({ id }) => byId.get(id) ?? []),
    next: sizes.length > page.length && last !== undefined ? { createdAt: last.created_at, id: last.id } : null,
  }
}

export async function countProducts(db: Queries, tenantId: string, filters: ProductFilters): Promise<number> {
  const row = await filtered(db, tenantId, filters)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Every product of the tenant, retired ones among them, a page at a time, by id. */
export async function productsAfter(
  db: Queries,
  tenantId: string,
  afterId: string,
  limit: number,
): Promise<ProductRow[]> {
  return products(db, tenantId).selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute()
}

/** Whether a site has no product at all, retired ones counted. */
export async function siteIsUnused(db: Queries, tenantId: string, siteId: string): Promise<boolean> {
  const row = await bySite(db, tenantId, siteId).select('id').limit(1).executeTakeFirst()
  return row === undefined
}
