import type { Queries } from '../../platform/database/database.ts'
import type { ProductRow } from '../../platform/database/tables.ts'
import { productsAfter } from './store.ts'

/** Rows that one statement reads. */
const PAGE = 50

/** Yields all products of a tenant by id, with retired ones. */
export async function* everyProduct(db: Queries, tenantId: string): AsyncGenerator<ProductRow> {
  for (let after = ''; ;) {
    const rows = await productsAfter(db, tenantId, after, PAGE)
    if (rows.length === 0) return
    after = rows[rows.length - 1].id
    yield* rows
  }
}
