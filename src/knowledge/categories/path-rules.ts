import type { Caller } from '../../platform/access/caller.ts'
import { mayReadBack } from '../../platform/access/read-back.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import { forbidden, invalid } from '../../platform/faults.ts'
import { namesOf, pathFault } from './path-names.ts'
import { insertCategory } from './rules.ts'
import { findByName } from './store.ts'

/**
 * The category that a path leads to; null when it does not exist and the caller may make it. Of several of one name,
 * the first in the order of lists.
 * @throws Fault at body.category for a path that is no good, or that the caller may not ask for
 */
export async function findByPath(db: Queries, caller: Caller, path: string): Promise<string | null> {
  const names = namesOf(path)
  const fault = pathFault(names)
  if (fault !== null) throw invalid(['body', 'category'], 'value_error', `No good path: ${fault}`)
  const mayMake = caller.scopes.has('categories:write')
  if (!mayMake && !mayReadBack(caller)) {
    // A refusal of missing ones alone would tell which categories exist.
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
 * Makes what is missing of a path that `findByPath` allowed. The transaction has taken the tenant's watermark before,
 * so that two imports at once make each category once.
 */
export async function makePath(tx: Tx, caller: Caller, path: string): Promise<string> {
  const { id, missing } = await follow(tx, caller.tenant.id, namesOf(path))
  let parent = id
  for (const name of missing) parent = (await insertCategory(tx, caller, { name, parent_id: parent })).id
  return parent!
}

/** Follows a path as far as it exists. @returns the last category on it, null for none, and the names after it */
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
