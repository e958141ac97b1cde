import { findByPath } from '../../categories/path-rules.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Unchecked } from '../../../platform/contract/unchecked.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { invalid } from '../../../platform/faults.ts'

/** Category of a line: its id, or the path of a category to make first; both null where the shape is faulty. */
interface LineCategory {
  readonly id: string | null
  readonly newPath: string | null
}

/**
 * Returns the category that a line of an import names, by its id or by its path. The fields of the line are unchecked.
 * @throws Fault invalid without id and path; like `findByPath` for a path
 */
export async function categoryOfLine(db: Queries, caller: Caller, line: Unchecked): Promise<LineCategory> {
  const { category_id: id, category: path } = line
  if (id !== undefined) return { id: typeof id === 'string' ? id : null, newPath: null }
  if (path === undefined) throw invalid(['body', 'category_id'], 'missing', 'Field required')
  if (typeof path !== 'string') return { id: null, newPath: null }
  const existingId = await findByPath(db, caller, path)
  return { id: existingId, newPath: existingId === null ? path : null }
}
