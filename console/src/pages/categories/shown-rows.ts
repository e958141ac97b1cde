import type { CategoryNode } from './model.ts'

/** Neighbours that are shown at first, and how many come with each step: React Aria slows down with thousands. */
export const STEP = 100

const MORE = 'more:'
const TOP = 'top'

/** A row of the tree: a category, or the step to further neighbours. */
export interface ShownRow {
  readonly id: string
  readonly name: string
  readonly entries: number
  readonly children: readonly ShownRow[]
}

/**
 * The rows to show, with at most so many neighbours as their level has reached.
 * @param limits neighbours to show by id of the category above, `top` for the top level; others have `STEP`
 * @param more says how many are not shown
 */
export function shownRows(
  nodes: readonly CategoryNode[],
  open: ReadonlySet<string>,
  limits: ReadonlyMap<string, number>,
  more: (count: number) => string,
  parentId = TOP,
): ShownRow[] {
  const limit = limits.get(parentId) ?? STEP
  const rows = nodes.slice(0, limit).map(({ id, name, allEntries, children }): ShownRow => ({
    id,
    name,
    entries: allEntries,
    // One child says that there are some; React Aria would build all of them, though nobody sees them.
    children: open.has(id) ? shownRows(children, open, limits, more, id) : children.slice(0, 1).map(asRow),
  }))
  const left = nodes.length - limit
  return left <= 0 ? rows : [...rows, { id: MORE + parentId, name: more(left), entries: 0, children: [] }]
}

const asRow = ({ id, name, allEntries }: CategoryNode): ShownRow => ({ id, name, entries: allEntries, children: [] })

/** The level that a step leads further on; null for the row of a category. */
export const levelOfStep = (id: string): string | null => (id.startsWith(MORE) ? id.slice(MORE.length) : null)
