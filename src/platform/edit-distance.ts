/**
 * Three rows of the table of edits: `a` runs down the table, `b` across it. The rows are kept between calls, because a
 * query compares thousands of words.
 */
let before = new Int32Array(64)
let row = new Int32Array(64)
let next = new Int32Array(64)

/**
 * Counts the edits between two words, up to `limit`: insertions, deletions, substitutions and swaps of neighbours,
 * with no part edited twice (optimal string alignment, the restricted form of Damerau 1964). Only cells within `limit`
 * of the diagonal are computed (E. Ukkonen, *Algorithms for approximate string matching*, 1985); all others are above
 * `limit`. Compares UTF-16 units.
 * @returns the number of edits, or -1 when there are more than `limit`
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return -1
  if (row.length <= b.length) [before, row, next] = [b, b, b].map(({ length }) => new Int32Array(2 * length))
  const aboveLimit = limit + 1
  for (let j = 0; j <= Math.min(b.length, limit); j++) row[j] = j
  let leastBefore = 0
  for (let i = 1; i <= a.length; i++) {
    const from = Math.max(1, i - limit)
    const to = Math.min(b.length, i + limit)
    if (to === i + limit) row[to] = aboveLimit
    let least = from === 1 ? i : aboveLimit
    next[from - 1] = least
    const unit = a.charCodeAt(i - 1)
    for (let j = from; j <= to; j++) {
      const other = b.charCodeAt(j - 1)
      let edits = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (unit === other ? 0 : 1))
      const isSwapped = i > 1 && j > 1 && unit === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === other
      if (isSwapped) edits = Math.min(edits, before[j - 2] + 1)
      next[j] = edits
      least = Math.min(least, edits)
    }
    // A swap refers to the row two above, so stop only after two rows above the limit.
    if (least > limit && leastBefore > limit) return -1
    leastBefore = least
    const spare = before
    before = row
    row = next
    next = spare
  }
  return row[b.length] <= limit ? row[b.length] : -1
}
