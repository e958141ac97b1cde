import type { CategoryNode } from './model.ts'

/** Neighbours that are shown at first and with each further step: React Aria slows down with thousands. */
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

/** Returns the earlier object for a row, as long as nothing in it has changed. */
type KeepRow = (row: ShownRow) => ShownRow

/**
 * Makes a function that keeps unchanged rows the same objects, by their ids. React Aria builds an object once, and
 * builds each new object again: without this, each opening would take as long as all open rows together.
 */
export function rowKeeper(): KeepRow {
  const rowsById = new Map<string, ShownRow>()
  return (row) => {
    const before = rowsById.get(row.id)
    if (before !== undefined && isSame(before, row)) return before
    rowsById.set(row.id, row)
    return row
  }
}

const isSame = (one: ShownRow, other: ShownRow): boolean =>
  one.name === other.name &&
  one.entries === other.entries &&
  one.children.length === other.children.length &&
  one.children.every((child, i) => child === other.children[i])

/** The part of a tree that is shown. */
interface TreeView {
  /** Ids of the open categories. */
  readonly open: ReadonlySet<string>
  /**
   * Most neighbours on a level, by the id of the category above it, `top` for the top level; other levels have `STEP`.
   */
  readonly limits: ReadonlyMap<string, number>
  /** Text of the row that stands for neighbours that are not shown yet. */
  readonly more: (count: number) => string
  readonly keep: KeepRow
}

/** Returns the rows to show, with as many neighbours as the limit of their level. */
export function shownRows(nodes: readonly CategoryNode[], view: TreeView, parentId = TOP): ShownRow[] {
  const { open, limits, more, keep } = view
  const limit = limits.get(parentId) ?? STEP
  const rows = nodes.slice(0, limit).map(({ id, name, allEntries, children }) =>
    keep({
      id,
      name,
      entries: allEntries,
      // One child tells React Aria that there are some; it would build all of them, though a closed category hides
      // them.
      children: open.has(id) ? shownRows(children, view, id) : children.slice(0, 1).map((child) => keep(asRow(child))),
    }),
  )
  const left = nodes.length - limit
  return left <= 0 ? rows : [...rows, keep({ id: MORE + parentId, name: more(left), entries: 0, children: [] })]
}

const asRow = ({ id, name, allEntries }: CategoryNode): ShownRow => ({ id, name, entries: allEntries, children: [] })

/** Returns the level of a row that shows further neighbours; null for the row of a category. */
export const levelOfStep = (id: string): string | null => (id.startsWith(MORE) ? id.slice(MORE.length) : null)
