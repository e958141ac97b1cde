import type { Row } from '../../platform/database/table-shapes.ts'

/**
 * Sorts rows that refer to rows of their own table, so that each row comes after its parent, the row it refers to.
 * @param columns pairs of columns: `here` of a row has the value of `there` of its parent
 */
export function parentsFirst(
  rows: readonly Row[],
  columns: readonly { readonly here: string; readonly there: string }[],
): Row[] {
  const keyOf = (row: Row, side: 'here' | 'there'): string => JSON.stringify(columns.map((pair) => row[pair[side]]))
  const unplaced = new Map(rows.map((row) => [keyOf(row, 'there'), row]))
  const sorted: Row[] = []
  for (const row of rows) {
    // The row, its parent and so on, as far as they have no place yet.
    const way: Row[] = []
    let next: Row | undefined = row
    while (next !== undefined && unplaced.delete(keyOf(next, 'there'))) {
      way.push(next)
      next = unplaced.get(keyOf(next, 'here'))
    }
    sorted.push(...way.toReversed())
  }
  return sorted
}
