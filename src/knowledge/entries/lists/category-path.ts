import { categoryPaths } from '../../categories/tree-rules.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { Entry } from '../contract.ts'

/** The entries with the path of their category, as an answer shows them that was asked for it. */
export async function withCategoryPaths(db: Queries, tenantId: string, entries: readonly Entry[]): Promise<Entry[]> {
  const ids = entries.map((entry) => entry.category_id)
  const paths = await categoryPaths(db, tenantId, ids)
  return entries.map((entry) => ({ ...entry, category_path: paths.get(entry.category_id) }))
}
