/**
 * Whether two words are at most `limit` edits apart, and how many: insertions, deletions, substitutions and
 * swaps of neighbours, no stretch edited twice (optimal string alignment, the restricted form of Damerau 1964).
 * Compares UTF-16 units.
 * @returns the number of edits, or -1 when there are more than `limit`
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return -1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1)
      let edits = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) edits = Math.min(edits, before[j - 2] + 1)
      next.push(edits)
      least = Math.min(least, edits)
    }
    // A swap reaches back two rows, so one row over the limit is not yet the end.
    if (least > limit && Math.min(...row) > limit) return -1
    before = row
    row = next
  }
  return row[b.length] <= limit ? row[b.length] : -1
}
