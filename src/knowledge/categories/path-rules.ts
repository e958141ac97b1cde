import type { Caller } from '../../platform/access/caller.ts'
import { mayReadBack } from '../../platform/access/read-back.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { forbidden, invalid } from '../../platform/faults.ts'
import { namesOf, pathFault } from './path-names.ts'
import { insertCategory } from './rules.ts'
import { findByName } from './store.ts'

/**
 * Returns the id of the category that a path leads to; null when there is none and the caller may make it. Where
 * siblings have the same name, the path leads to the first in the order of lists.
 * @throws Fault at body.category: invalid for a faulty path; forbidden when the caller may not learn whether it exists,
 *   or may not make a missing one
 */
export async function findByPath(db: Queries, caller: Caller, path: string): Promise<string | null> {
  const names = namesOf(path)
  const fault = pathFault(names)
  if (fault !== null) throw invalid(['body', 'category'], 'value_error', `No good path: ${fault}`)
  const mayMake = caller.scopes.has('categories:write')
  if (!mayMake && !mayReadBack(caller)) {
    // If only missing categories were refused, the answer would tell which exist.
    const msg = 'Naming a category by its path needs knowledge:read or categories:write'
    throw forbidden(['body', 'category'], msg, ['knowledge:read'])
  }
  const { id, missing } = await follow(db, caller.tenant.id, names)
  if (missing.length === 0) return id
  if (mayMake) return null
  throw forbidden(['body', 'category'], 'Category does not exist, and making it needs categories:write', [
    'categories:write',
  ])
}

/**
 * Makes the missing categories of a path that `findByPath` allowed. The transaction has advanced the tenant's watermark
 * before, which locks it, so that two imports at once make each category once.
 * @returns the id of the category that the path leads to
 */
export async function makePath(tx: Tx, caller: Caller, path: string): Promise<string> {
  const { id, missing } = await follow(tx, caller.tenant.id, namesOf(path))
  let parent = id
  for (const name of missing) parent = (await insertCategory(tx, caller, { name, parent_id: parent })).id
  return parent!
}

/** Follows a path as far as it exists. @returns the id of the last category, null for none, and the missing names */
async function follow(
  db: Queries,
  tenantId: string,
  names: readonly string[],
): Promise<{ id: string | null; missing: readonly string[] }> {
  let id: string | null = null
  for (const [i, name] of names.entries()) {
    const child = await findByName(db, tenantId, id, name)
    if (child === null) return { id, missing: names.slice(i) }
    id = child
  }
  return { id, missing: [] }
}
