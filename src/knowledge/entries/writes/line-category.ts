import { findByPath } from '../../categories/path-rules.ts'
import type { Caller } from '../../../platform/access/caller.ts'
import type { Unchecked } from '../../../platform/contract/unchecked.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { invalid } from '../../../platform/faults.ts'

/** The category of a line: its id, or the path of one that must be made first. Both are null for a line of bad shape. */
interface LineCategory {
  readonly id: string | null
  readonly newPath: string | null
}

/**
 * The category that a line of a bulk names, by its id or by its path. The fields of the line are unchecked.
 * @throws Fault invalid without either of them, or for a path that is no good; forbidden for one that is not there
 */
export async function categoryOfLine(db: Queries, caller: Caller, line: Unchecked): Promise<LineCategory> {
  const { category_id: id, category: path } = line
  if (id !== undefined) return { id: typeof id === 'string' ? id : null, newPath: null }
  if (path === undefined) throw invalid(['body', 'category_id'], 'missing', 'Field required')
  if (typeof path !== 'string') return { id: null, newPath: null }
  const known = await findByPath(db, caller, path)
  return { id: known, newPath: known === null ? path : null }
}
