import { categoryPaths } from '../../categories/tree-rules.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { Entry } from '../contract.ts'

/** Returns the entries with `category_path`, the names on the way to their category. */
export async function withCategoryPaths(db: Queries, tenantId: string, entries: readonly Entry[]): Promise<Entry[]> {
  const ids = entries.map((entry) => entry.category_id)
  const paths = await categoryPaths(db, tenantId, ids)
  return entries.map((entry) => ({ ...entry, category_path: paths.get(entry.category_id) }))
}
