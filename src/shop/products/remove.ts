import type { Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'
import { parentsOf, renewStockOfVariants } from './variant-stock-store.ts'

/** Site of removed products, and number of the change, by which search finds that they are gone. */
interface Removal {
  readonly tenantId: string
  readonly siteId: string
  readonly seq: number
}

/**
 * Removes products of a site. Their variants stay without a parent, and their parents no longer count their stock.
 * @param externalIds those of the products that have one
 */
export async function removeProducts(
  tx: Tx,
  { tenantId, siteId, seq }: Removal,
  ids: readonly string[],
  externalIds: readonly string[],
): Promise<void> {
  const parents = await parentsOf(tx, tenantId, ids)
  await store.removeProducts(tx, tenantId, ids, seq)
  await renewStockOfVariants(tx, tenantId, parents, seq)
  await store.unlinkVariants(tx, tenantId, siteId, externalIds, seq)
}
