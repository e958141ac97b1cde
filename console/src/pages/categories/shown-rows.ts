import type { CategoryNode } from './model.ts'

/** Neighbours that are shown at first, and how many come with each step: React Aria slows down with thousands. */
export const STEP = 50

const MORE = 'more:'
const TOP = 'top'

/** A row of the tree: a category, or the step to further neighbours. */
export interface ShownRow {
  readonly id: string
  readonly name: string
  readonly entries: number
  readonly children: readonly ShownRow[]
}

/** Gives back the row that it was given before, as long as nothing in it has changed. */
type KeepRow = (row: ShownRow) => ShownRow

/**
 * Keeps rows that do not change the same objects, by their ids. React Aria builds an object once, and everything again
 * that is a new one: without this, each opening takes as long as all that is open.
 */
export function rowKeeper(): KeepRow {
  const kept = new Map<string, ShownRow>()
  return (row) => {
    const before = kept.get(row.id)
    if (before !== undefined && isSame(before, row)) return before
    kept.set(row.id, row)
    return row
  }
}

const isSame = (one: ShownRow, other: ShownRow): boolean =>
  one.name === other.name &&
  one.entries === other.entries &&
  one.children.length === other.children.length &&
  one.children.every((child, i) => child === other.children[i])

/** What is shown of a tree. */
interface Shown {
  readonly open: ReadonlySet<string>
  /** Neighbours to show by id of the category above, `top` for the top level; others have `STEP`. */
  readonly limits: ReadonlyMap<string, number>
  /** Says how many are not shown. */
  readonly more: (count: number) => string
  readonly keep: KeepRow
}

/** The rows to show, with at most so many neighbours as their level has reached. */
export function shownRows(nodes: readonly CategoryNode[], shown: Shown, parentId = TOP): ShownRow[] {
  const { open, limits, more, keep } = shown
  const limit = limits.get(parentId) ?? STEP
  const rows = nodes.slice(0, limit).map(({ id, name, allEntries, children }) =>
    keep({
      id,
      name,
      entries: allEntries,
      // One child says that there are some; React Aria would build all of them, though nobody sees them.
      children: open.has(id) ? shownRows(children, shown, id) : children.slice(0, 1).map((child) => keep(asRow(child))),
    }),
  )
  const left = nodes.length - limit
  return left <= 0 ? rows : [...rows, keep({ id: MORE + parentId, name: more(left), entries: 0, children: [] })]
}

const asRow = ({ id, name, allEntries }: CategoryNode): ShownRow => ({ id, name, entries: allEntries, children: [] })

/** The level that a step leads further on; null for the row of a category. */
export const levelOfStep = (id: string): string | null => (id.startsWith(MORE) ? id.slice(MORE.length) : null)
