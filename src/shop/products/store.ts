import { sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import { textBytes } from '../../platform/database/page.ts'
import type { Portable } from '../../platform/database/portable.ts'
import { findsAny } from '../../platform/database/rows.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { dropJobsOf } from '../../embedding/rules.ts'
import { PRODUCT_EMBEDDING } from './indexing/product-embedding.ts'
import { inRuns } from '../../platform/database/runs.ts'

/** Columns by which a sync recognises an unchanged product, and the size of the product. */
export type SyncState = Pick<ProductRow, 'id' | 'external_id' | 'sync_hash' | 'retired_at'> & {
  /** Bytes of stored text. */
  readonly bytes: number
}

function products(db: Queries, tenantId: string) {
  return db.selectFrom('products').where('tenant_id', '=', tenantId)
}

/** Finds a product that is not retired; null without one. */
export async function findProduct(db: Queries, tenantId: string, id: string): Promise<ProductRow | null> {
  const row = await products(db, tenantId)
    .selectAll()
    .where('id', '=', id)
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return row ?? null
}

/** Returns the products of the ids that exist and are not retired, in no particular order. */
export async function findProducts(db: Queries, tenantId: string, ids: readonly string[]): Promise<ProductRow[]> {
  if (ids.length === 0) return []
  return products(db, tenantId)
    .selectAll()
    .where('id', 'in', [...ids])
    .where('retired_at', 'is', null)
    .execute()
}

/** Returns columns of the ids that exist and are not retired, in no particular order. */
export async function findProductColumns(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
  columns: readonly (keyof ProductRow)[],
): Promise<Partial<ProductRow>[]> {
  if (ids.length === 0) return []
  return products(db, tenantId)
    .select([...columns])
    .where('id', 'in', [...ids])
    .where('retired_at', 'is', null)
    .execute()
}

/** Returns short and long descriptions by id, joined; at most `length` code points of each. */
export async function findDescriptions(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
  length: number,
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const start = (column: string) => sql<string | null>`substr(${sql.ref(column)}, 1, ${sql.lit(length)})`
  const rows = await products(db, tenantId)
    .select(['id', start('short_description').as('short'), start('description').as('long')])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, short, long }) => [id, [short, long].filter(Boolean).join('\n')]))
}

/** Columns that a search reads of a product whose JSON may be cached. */
export type HitState = Pick<ProductRow, 'id' | 'seq' | 'last_synced_at' | 'parent_product_id'>

/** Returns the states of the ids that exist and are not retired, in no particular order. */
export async function hitStates(db: Queries, tenantId: string, ids: readonly string[]): Promise<HitState[]> {
  if (ids.length === 0) return []
  return products(db, tenantId)
    .select(['id', 'seq', 'last_synced_at', 'parent_product_id'])
    .where('id', 'in', [...ids])
    .where('retired_at', 'is', null)
    .execute()
}

/** Columns of a product that may be long. */
export const TEXTS = [
  'title',
  'description',
  'short_description',
  'gtins',
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
 * Returns the bytes of stored text by id, without reading the text. Unknown ids are absent.
 * @param columns columns whose bytes count
 */
export async function productBytes(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
  columns: readonly string[] = TEXTS,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map()
  const rows = await products(db, tenantId)
    .select(['id', textBytes(columns).as('bytes')])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map((row) => [row.id, row.bytes]))
}

/** Most bytes of a title or address in a suggestion: a list below a search field could not show more. */
const SHOWN_BYTES_MAX = 2_000

/** Selects a column, or null in place of a text of more than `SHOWN_BYTES_MAX`. */
function shortOnly<const C extends 'title' | 'image_url' | 'product_url'>(column: C) {
  const text = sql.ref(column)
  return sql<string | null>`case when octet_length(${text}) <= ${sql.lit(SHOWN_BYTES_MAX)} then ${text} end`.as(column)
}

/** Columns of a product that a suggestion shows. */
export type SuggestedProduct = Pick<ProductRow, 'id' | 'seq' | 'title' | 'brand' | 'image_url' | 'product_url'>

/**
 * Returns suggestions for the ids, in no particular order. Leaves out products with overlong titles, and has null in
 * place of overlong addresses, without reading either: the contract does not limit their length.
 */
export async function findSuggested(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<SuggestedProduct[]> {
  if (ids.length === 0) return []
  return products(db, tenantId)
    .select(['id', 'seq', 'title', 'brand', shortOnly('image_url'), shortOnly('product_url')])
    .where('id', 'in', [...ids])
    .where(sql<boolean>`octet_length(title) <= ${sql.lit(SHOWN_BYTES_MAX)}`)
    .where('retired_at', 'is', null)
    .execute()
}

/** Columns that a hit shows of the variant that matched. */
export type ShortProduct = Pick<ProductRow, 'id' | 'external_id' | 'sku' | 'image_url' | 'product_url'> & {
  readonly title: string | null
}

/** Returns short forms of the ids that exist and are not retired. Overlong texts are null and not read. */
export async function findShort(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, ShortProduct>> {
  if (ids.length === 0) return new Map()
  const rows = await products(db, tenantId)
    .select(['id', 'external_id', 'sku', shortOnly('title'), shortOnly('image_url'), shortOnly('product_url')])
    .where('id', 'in', [...ids])
    .where('retired_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Finds a product, retired or not, for a restore. */
export async function findAnyProduct(db: Queries, tenantId: string, id: string): Promise<ProductRow | null> {
  const row = await products(db, tenantId).selectAll().where('id', '=', id).executeTakeFirst()
  return row ?? null
}

/** Returns products of a site by external_id, with retired ones. */
export async function findByExternalIds(
  db: Queries,
  portable: Portable,
  tenantId: string,
  siteId: string,
  externalIds: readonly string[],
): Promise<ProductRow[]> {
  if (externalIds.length === 0) return []
  return bySite(db, tenantId, siteId)
    .selectAll()
    .where((eb) => portable.isOneOf(eb.ref('external_id'), externalIds))
    .execute()
}

/** Returns sync states of products of a site by external_id, with retired ones. */
export async function syncStates(
  db: Queries,
  portable: Portable,
  tenantId: string,
  siteId: string,
  externalIds: readonly string[],
): Promise<SyncState[]> {
  if (externalIds.length === 0) return []
  return bySite(db, tenantId, siteId)
    .select(['id', 'external_id', 'sync_hash', 'retired_at', textBytes(TEXTS).as('bytes')])
    .where((eb) => portable.isOneOf(eb.ref('external_id'), externalIds))
    .execute()
}

function bySite(db: Queries, tenantId: string, siteId: string) {
  return products(db, tenantId).where('site_id', '=', siteId)
}

/**
 * Sets the time and run of a sync in products that the sync did not change.
 * @returns the number of the products that still exist and are not retired
 */
export async function markSynced(
  tx: Queries,
  portable: Portable,
  tenantId: string,
  ids: readonly string[],
  { now, run }: { now: number; run: string | null },
): Promise<number> {
  if (ids.length === 0) return 0
  const result = await tx
    .updateTable('products')
    .set(run === null ? { last_synced_at: now } : { last_synced_at: now, sync_run: run })
    .where('tenant_id', '=', tenantId)
    .where((eb) => portable.isOneOf(eb.ref('id'), ids))
    .where('retired_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

/** Inserts new rows and replaces existing ones. No row may occur twice. */
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

/** Returns ids by external_id of products of a site that are not retired. */
export async function findIds(
  db: Queries,
  portable: Portable,
  tenantId: string,
  siteId: string,
  externalIds: readonly string[],
): Promise<Map<string, string>> {
  if (externalIds.length === 0) return new Map()
  const rows = await bySite(db, tenantId, siteId)
    .select(['id', 'external_id'])
    .where((eb) => portable.isOneOf(eb.ref('external_id'), externalIds))
    .where('retired_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.external_id!, row.id]))
}

/**
 * Links variants to parents that did not exist when the variants were written.
 * @param parents ids of the parents by external_id
 * @returns ids of the parents that got variants
 */
export async function linkVariants(
  tx: Queries,
  tenantId: string,
  siteId: string,
  parents: ReadonlyMap<string, string>,
  seq: number,
): Promise<string[]> {
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
  return [...waiting].map((externalId) => parents.get(externalId)!)
}

/** Unlinks variants from parents that were deleted or retired. `linkVariants` links them again to a later parent. */
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

/** Removes products with their vectors and leaves tombstones for the indexes. */
export async function removeProducts(
  tx: Queries,
  tenantId: string,
  productIds: readonly string[],
  seq: number,
): Promise<void> {
  await inRuns(productIds, async (ids) => {
    const tombstones = ids.map((id) => ({ tenant_id: tenantId, product_id: id, seq }))
    await tx.insertInto('product_tombstones').values(tombstones).execute()
    await dropJobsOf(tx, tenantId, PRODUCT_EMBEDDING.name, ids)
    await tx.deleteFrom('products').where('tenant_id', '=', tenantId).where('id', 'in', ids).execute()
  })
}

export async function forgetTombstone(tx: Queries, tenantId: string, id: string): Promise<void> {
  await tx.deleteFrom('product_tombstones').where('tenant_id', '=', tenantId).where('product_id', '=', id).execute()
}

/** Products that one statement removes. */
const REMOVED_MAX = 256

/** Deletes all retired products of a site, `REMOVED_MAX` at a time. */
export async function forgetRetiredOfSite(tx: Queries, tenantId: string, siteId: string, seq: number): Promise<void> {
  for (;;) {
    const retired = await bySite(tx, tenantId, siteId)
      .select('id')
      .where('retired_at', 'is not', null)
      .limit(REMOVED_MAX)
      .execute()
    const ids = retired.map(({ id }) => id)
    await removeProducts(tx, tenantId, ids, seq)
    if (retired.length < REMOVED_MAX) return
  }
}

export async function siteHasProducts(db: Queries, tenantId: string, siteId: string): Promise<boolean> {
  return findsAny(bySite(db, tenantId, siteId).where('retired_at', 'is', null))
}

/** Tells whether the tenant has any product, even a retired one. */
export async function hasProducts(db: Queries, tenantId: string): Promise<boolean> {
  return findsAny(products(db, tenantId))
}

/** Returns a page of all products of the tenant, by id, with retired ones. */
export async function productsAfter(
  db: Queries,
  tenantId: string,
  afterId: string,
  limit: number,
): Promise<ProductRow[]> {
  return products(db, tenantId).selectAll().where('id', '>', afterId).orderBy('id').limit(limit).execute()
}

/** Tells whether a site has no product at all, not even a retired one. */
export async function siteIsUnused(db: Queries, tenantId: string, siteId: string): Promise<boolean> {
  return !(await findsAny(bySite(db, tenantId, siteId)))
}

/**
 * Renews the statistics of PostgreSQL's planner; SQLite plans without. Skips a table that is being vacuumed or altered,
 * so that a push neither waits nor fails.
 */
export async function analyseProducts({ queries, portable }: Database): Promise<void> {
  if (portable.name === 'postgres') await sql`analyze (skip_locked) products, product_vectors`.execute(queries)
}
