import type { Row } from './store.ts'

/**
 * Sorts rows of a table that refer to rows of the same table, so that each comes after the one that it refers to.
 * @param columns which columns of a row hold the values of which columns of the other
 */
export function parentsFirst(
  rows: readonly Row[],
  columns: readonly { readonly here: string; readonly there: string }[],
): Row[] {
  const keyOf = (row: Row, side: 'here' | 'there'): string => JSON.stringify(columns.map((pair) => row[pair[side]]))
  const unplaced = new Map(rows.map((row) => [keyOf(row, 'there'), row]))
  const sorted: Row[] = []
  for (const row of rows) {
    // The row with those above it that have no place yet, from the bottom up.
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
