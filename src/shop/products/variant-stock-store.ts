import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { inRuns } from '../../platform/database/runs.ts'

/** Availabilities of products in stock, in the spelling of schema.org, without case, spaces and underscores. */
const IN_STOCK = ['instock', 'limitedavailability', 'onlineonly', 'instoreonly']

/**
 * Sets in parents the availability of their variants in stock, by which search counts a parent. Parents whose value
 * changes get the number `seq`, so that search reads them again. Call it after a write that may change the stock.
 */
export async function renewStockOfVariants(
  tx: Queries,
  tenantId: string,
  parentIds: readonly string[],
  seq: number,
): Promise<void> {
  await inRuns(parentIds, async (some) => {
    const inStock = sql<string | null>`(
      select min(v.availability) from products as v
      where v.tenant_id = products.tenant_id and v.site_id = products.site_id
        and v.parent_external_id = products.external_id and v.parent_product_id = products.id
        and v.retired_at is null
        and replace(replace(lower(v.availability), ' ', ''), '_', '') in (${sql.join(IN_STOCK.map((word) => sql.lit(word)))}))`
    await tx
      .updateTable('products')
      .set({ variants_availability: inStock, seq })
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', some)
      .where(sql<boolean>`variants_availability is distinct from ${inStock}`)
      .execute()
  })
}

/** Returns the ids of the products' parents. */
export async function parentsOf(db: Queries, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const parents = new Set<string>()
  await inRuns(ids, async (some) => {
    const rows = await db
      .selectFrom('products')
      .select('parent_product_id')
      .distinct()
      .where('tenant_id', '=', tenantId)
      .where('id', 'in', some)
      .where('parent_product_id', 'is not', null)
      .execute()
    for (const row of rows) parents.add(row.parent_product_id!)
  })
  return [...parents]
}
