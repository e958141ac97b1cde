import type { Database } from '../../platform/database/database.ts'
import { type PageOf, textBytes } from '../../platform/database/page.ts'
import { hasValues, isInLanguage } from '../../platform/database/rows.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { inRange, type ListPosition, type Range } from '../../platform/database/walk.ts'
import { countWalked, readWalkedPage, type WalkedPage } from '../../platform/database/walked-list.ts'
import { inRuns } from '../../platform/database/runs.ts'
import { findProducts, TEXTS } from './store.ts'

/** Filters of a list, each by a whole value. */
export interface ProductFilters {
  readonly siteId?: string
  readonly externalId?: string
  readonly brand?: string
  readonly category?: string
  readonly availability?: string
  /** Primary subtag: `de` passes `de-AT` too. */
  readonly language?: string
  readonly source?: string
  readonly isVariant?: boolean
  readonly isParent?: boolean
  readonly parentId?: string
}

/** Returns the query of products in a range that pass the filters and are not retired. */
function filtered({ queries }: Database, tenantId: string, filters: ProductFilters, range: Range) {
  const values = {
    site_id: filters.siteId,
    external_id: filters.externalId,
    brand: filters.brand,
    category: filters.category,
    availability: filters.availability,
    source: filters.source,
    parent_product_id: filters.parentId,
    is_variant: filters.isVariant === undefined ? undefined : Number(filters.isVariant),
    is_parent: filters.isParent === undefined ? undefined : Number(filters.isParent),
  }
  const query = queries
    .selectFrom('products')
    .where('tenant_id', '=', tenantId)
    .where('retired_at', 'is', null)
    .where(inRange('created_at', 'id', range))
    .where(hasValues('products', values))
  const { language } = filters
  return language === undefined ? query : query.where((eb) => isInLanguage(eb.ref('language'), language))
}

/** Returns the walk of a list: along all products of a site or the tenant, with retired ones. */
function walkOf({ queries, portable }: Database, tenantId: string, { siteId }: ProductFilters) {
  return {
    owner: tenantId,
    dialect: portable.name,
    async endOf(after: ListPosition | null, rows: number): Promise<ListPosition | null> {
      let query = queries
        .selectFrom('products')
        .select(['created_at as createdAt', 'id'])
        .where('tenant_id', '=', tenantId)
        .where(inRange('created_at', 'id', { after, end: null }))
      if (siteId !== undefined) query = query.where('site_id', '=', siteId)
      const row = await query
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .offset(rows - 1)
        .executeTakeFirst()
      return row ?? null
    },
  }
}

/** Returns a page of the products that pass the filters, newest first. */
export async function listProducts(
  database: Database,
  tenantId: string,
  filters: ProductFilters,
  page: PageOf<ListPosition>,
): Promise<WalkedPage<ProductRow>> {
  return readWalkedPage(walkOf(database, tenantId, filters), page, {
    sizesIn: (range, limit) =>
      filtered(database, tenantId, filters, range)
        .select(['id', 'created_at', textBytes(TEXTS).as('bytes')])
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),
    async rowsOf(ids) {
      const rows: ProductRow[] = []
      await inRuns(ids, async (some) => rows.push(...(await findProducts(database.queries, tenantId, some))))
      return rows
    },
  })
}

export async function countProducts(database: Database, tenantId: string, filters: ProductFilters): Promise<number> {
  return countWalked(walkOf(database, tenantId, filters), async (range) => {
    const row = await filtered(database, tenantId, filters, range)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return row.count
  })
}
