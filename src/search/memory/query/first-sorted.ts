/**
 * Returns the first `count` of `items` in the order of `compare`, sorted, and rearranges `items`. A long list is cut
 * before it is sorted, in linear time on average, so many ties stay cheap.
 */
export function firstSorted(items: Uint32Array, count: number, compare: (a: number, b: number) => number): Uint32Array {
  const length = Math.max(0, Math.min(count, items.length))
  if (items.length > 4 * length && length > 0) selectFirst(items, length, compare)
  const sorted = items.length > 4 * length ? items.subarray(0, length) : items
  return sorted.sort(compare).subarray(0, length)
}

/** Quickselect (Hoare 1961): moves the first `count` items to the front, unsorted. */
function selectFirst(items: Uint32Array, count: number, compare: (a: number, b: number) => number): void {
  let from = 0
  let to = items.length - 1
  while (from < to) {
    const pivot = items[from + ((to - from) >> 1)]
    let i = from
    let j = to
    while (i <= j) {
      while (compare(items[i], pivot) < 0) i++
      while (compare(items[j], pivot) > 0) j--
      if (i > j) break
      const item = items[i]
      items[i++] = items[j]
      items[j--] = item
    }
    if (count - 1 <= j) to = j
    else if (count - 1 >= i) from = i
    else return
  }
}
