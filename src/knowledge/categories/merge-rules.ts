import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { invalid, notFound, referenceNotFound } from '../../platform/faults.ts'
import { type Pause, threadSlices } from '../../platform/threads/slices.ts'
import { DEPTH_MAX } from './path-names.ts'
import * as store from './store.ts'
import { ancestorIds, levelsBelow } from './tree-store.ts'

/** Children that one statement moves. */
const STEP = 500

/** Where a check reads, and how it pauses between its statements. */
export interface MergeReading {
  readonly queries: Queries
  readonly portable: Database['portable']
  readonly pause: Pause
}

/**
 * Refuses to merge a category into itself, into one below it, into one that does not exist, or where its children would
 * be too deep in the tree.
 * @throws Fault not_found at path.category_id, invalid at body.into_id
 */
export async function requireMergeable(
  { queries, portable, pause }: MergeReading,
  { tenant }: Caller,
  id: string,
  intoId: string,
): Promise<void> {
  if ((await store.findCategory(queries, tenant.id, id)) === null) throw notFound(['path', 'category_id'], 'Category')
  const line = await ancestorIds(queries, tenant.id, intoId, DEPTH_MAX)
  if (line.length === 0) throw referenceNotFound(['body', 'into_id'], 'Category')
  if (line.includes(id))
    throw invalid(['body', 'into_id'], 'value_error', 'A category cannot be merged into itself or into one below it')
  let depth = line.length
  for await (const _level of levelsBelow({ queries, portable }, tenant.id, id, pause)) {
    depth += 1
    if (depth > DEPTH_MAX)
      throw invalid(['body', 'into_id'], 'value_error', `Categories can be nested ${DEPTH_MAX} levels deep at most`)
  }
}

/**
 * Moves the categories directly below a category into another, and deletes the empty category. The transaction has
 * taken the tenant's watermark, and `requireMergeable` allowed it.
 * @returns how many categories moved; null, with nothing done, when the category still has entries
 */
export async function dissolveCategory(tx: Tx, caller: Caller, id: string, intoId: string): Promise<number | null> {
  const { id: tenantId } = caller.tenant
  if (await store.hasEntries(tx, tenantId, id)) return null
  let moved = 0
  for (;;) {
    const children = await store.childIds(tx, tenantId, id, STEP)
    if (children.length === 0) break
    await store.moveCategories(tx, tenantId, children, intoId, Date.now())
    await record(tx, caller, 'update', children)
    moved += children.length
    const waiting = threadSlices.pauseHolding()
    if (waiting !== undefined) await waiting
  }
  await store.deleteCategory(tx, tenantId, id)
  await record(tx, caller, 'delete', [id])
  return moved
}

function record(tx: Tx, caller: Caller, action: 'update' | 'delete', ids: readonly string[]): Promise<void> {
  const events = ids.map((resourceId) => ({ action, resourceType: 'category', resourceId }) as const)
  return recordAudit(tx, caller.tenant.id, caller, events)
}
