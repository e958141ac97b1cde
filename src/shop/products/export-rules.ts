import type { Queries } from '../../platform/database/database.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { productsAfter } from './store.ts'

/** Rows that are read at a time. */
const PAGE = 50

/** Walks along all products of a tenant by id, also those that are retired. */
export async function* everyProduct(db: Queries, tenantId: string): AsyncGenerator<ProductRow> {
  for (let after = ''; ;) {
    const rows = await productsAfter(db, tenantId, after, PAGE)
    if (rows.length === 0) return
    after = rows[rows.length - 1].id
    yield* rows
  }
}
