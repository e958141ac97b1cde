import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import { inRuns } from '../../platform/database/runs.ts'

/** What shops call it when a product can be had now; compared without case, spaces and underscores. */
const IN_STOCK = ['instock', 'limitedavailability', 'onlineonly', 'instoreonly']

/**
 * Notes for parents how their variants in stock call it, so that search counts a parent as they are, and gives those
 * that changed a number of the tenant's changes. Call it after a write that may have changed what they have in stock.
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

/** The parents of products. */
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
