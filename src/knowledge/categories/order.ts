import type { Tx } from '../../platform/database/database.ts'
import { threadSlices } from '../../platform/threads/slices.ts'
import { type Level, setOrder, type Sibling, siblingBefore, siblingsAfter } from './order-store.ts'

/** Difference of two neighbours' `sort_order` after a renumbering: leaves room for ten moves into the same gap. */
const GAP = 1_024
/** Largest `sort_order` of the contract. */
const ORDER_MAX = 2_147_483_647
/** Categories that one statement reads or writes. */
const STEP = { read: 1_000, write: 200 }

/**
 * Returns the `sort_order` that puts a category before a sibling, or last. Where two neighbours leave no number between
 * them, it numbers the level anew, which keeps the order of all others.
 * @param next sibling that comes directly after the category; null to put the category last
 */
export async function orderBefore(tx: Tx, level: Level, next: Sibling | null): Promise<number> {
  const previous = await siblingBefore(tx, level, next)
  const low = previous?.sort_order ?? -1
  if (next === null && low + GAP <= ORDER_MAX) return low + GAP
  if (next !== null && next.sort_order - low >= 2) return low + Math.floor((next.sort_order - low) / 2)
  return numberAnew(tx, level, next)
}

/** Numbers a level anew and leaves one place free before `next`. @returns the `sort_order` of the free place */
async function numberAnew(tx: Tx, level: Level, next: Sibling | null): Promise<number> {
  const siblings: Sibling[] = []
  for (let after: Sibling | null = null; ;) {
    const some: Sibling[] = await siblingsAfter(tx, level, after, STEP.read)
    siblings.push(...some)
    if (some.length < STEP.read) break
    after = some[some.length - 1]
    await threadSlices.pauseHolding()
  }
  const gap = Math.min(GAP, Math.floor(ORDER_MAX / (siblings.length + 1)))
  const freePlace = next === null ? siblings.length : siblings.findIndex(({ id }) => id === next.id)
  const changed = siblings
    .map(({ id, sort_order: before }, i) => ({ id, before, order: (i < freePlace ? i + 1 : i + 2) * gap }))
    .filter(({ before, order }) => before !== order)
  for (let at = 0; at < changed.length; at += STEP.write) {
    await setOrder(tx, level.tenantId, changed.slice(at, at + STEP.write))
    await threadSlices.pauseHolding()
  }
  return (freePlace + 1) * gap
}
