import { categoryPaths } from '../../categories/rules.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { Entry } from '../contract.ts'

/** Gives entries that are about to be answered the path of their category. */
export async function addCategoryPaths(db: Queries, tenantId: string, entries: readonly Entry[]): Promise<void> {
  const paths = await categoryPaths(
    db,
    tenantId,
    entries.map((entry) => entry.category_id),
  )
  for (const entry of entries) {
    const path = paths.get(entry.category_id)
    if (path !== undefined) entry.category_path = path
  }
}
