import type { Queries } from '../database/database.ts'
import { pageOf, textBytes } from '../database/page.ts'
import type { ProductRow } from '../database/tables.ts'
import { inRuns } from './runs.ts'
import { findProducts, TEXTS } from './store.ts'

/** What a list is of; each compares the whole value. */
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

function filtered(db: Queries, tenantId: string, filters: ProductFilters) {
  let query = db.selectFrom('products').where('tenant_id', '=', tenantId).where('retired_at', 'is', null)
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
