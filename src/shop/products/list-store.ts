import type { Database } from '../../platform/database/database.ts'
import { pageOf, readPieces, textBytes } from '../../platform/database/page.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { inRange, type ListPosition, type Range, rangesOf } from '../../platform/database/walk.ts'
import { inRuns } from '../../platform/database/runs.ts'
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

function filtered({ queries }: Database, tenantId: string, filters: ProductFilters, range: Range) {
  let query = queries
    .selectFrom('products')
    .where('tenant_id', '=', tenantId)
    .where('retired_at', 'is', null)
    .where(inRange('created_at', 'id', range))
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

function walk(
  { queries, portable }: Database,
  tenantId: string,
  { siteId }: ProductFilters,
  after: ListPosition | null,
  first?: number,
): AsyncGenerator<Range> {
  return rangesOf({
    owner: tenantId,
    dialect: portable.name,
    after,
    first,
    async endOf(from, rows) {
      let query = queries
        .selectFrom('products')
        .select(['created_at as createdAt', 'id'])
        .where('tenant_id', '=', tenantId)
        .where(inRange('created_at', 'id', { after: from, end: null }))
      if (siteId !== undefined) query = query.where('site_id', '=', siteId)
      const row = await query
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .offset(rows - 1)
        .executeTakeFirst()
      return row ?? null
    },
  })
}

/**
 * Newest first, from after `after` on. A page ends by its limit or by its bytes; lengths are looked at first, so
 * that what does not fit is not read. No statement looks at more than a few thousand rows, however many are left out.
 * @returns the rows, and where the next page begins; null after the last one
 */
export async function listProducts(
  database: Database,
  tenantId: string,
  filters: ProductFilters,
  { limit, after }: { limit: number; after: ListPosition | null },
): Promise<{ rows: ProductRow[]; next: ListPosition | null }> {
  const sizes: { id: string; created_at: number; bytes: number }[] = []
  for await (const range of walk(database, tenantId, filters, after, limit + 1)) {
    const some = await filtered(database, tenantId, filters, range)
      .select(['id', 'created_at', textBytes(TEXTS).as('bytes')])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1 - sizes.length)
      .execute()
    sizes.push(...some)
    if (sizes.length > limit) break
  }
  const page = pageOf(sizes, limit)
  const byId = new Map<string, ProductRow>()
  await readPieces(tenantId, page, (ids) =>
    inRuns(ids, async (some) => {
      for (const row of await findProducts(database.queries, tenantId, some)) byId.set(row.id, row)
    }),
  )
  const last = page.at(-1)
  return {
    rows: page.flatMap(({ id }) => byId.get(id) ?? []),
    next: sizes.length > page.length && last !== undefined ? { createdAt: last.created_at, id: last.id } : null,
  }
}

export async function countProducts(database: Database, tenantId: string, filters: ProductFilters): Promise<number> {
  let total = 0
  for await (const range of walk(database, tenantId, filters, null)) {
    const row = await filtered(database, tenantId, filters, range)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    total += row.count
  }
  return total
}
