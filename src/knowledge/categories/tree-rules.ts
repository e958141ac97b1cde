import type { Queries } from '../../platform/database/database.ts'
import type { CategoryRow } from '../../platform/database/tables.ts'
import * as store from './store.ts'
import * as tree from './tree-store.ts'

/** Returns all categories of a tenant, by sort order, then name. */
export function everyCategory(db: Queries, tenantId: string): Promise<CategoryRow[]> {
  return store.listCategories(db, tenantId, null)
}

/** Returns the names on the way to each category, outermost first, by category id. Unknown ids are left out. */
export function categoryPaths(
  db: Queries,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  return tree.categoryPaths(db, tenantId, ids)
}
