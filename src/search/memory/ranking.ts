/**
 * The first `count` of `items` in the order of `compare`, sorted.
 * Long lists are cut first in linear time on average, so that a flood of ties is not sorted whole.
 */
export function firstSorted<T>(items: T[], count: number, compare: (a: T, b: T) => number): T[] {
  if (count <= 0) return []
  if (items.length > 4 * count) selectFirst(items, count, compare)
  const kept = items.length > 4 * count ? items.slice(0, count) : items
  return kept.sort(compare).slice(0, count)
}

/** Quickselect (Hoare 1961): moves the first `count` in order to the front, in any order. */
function selectFirst<T>(items: T[], count: number, compare: (a: T, b: T) => number): void {
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
      const held = items[i]
      items[i++] = items[j]
      items[j--] = held
    }
    if (count - 1 <= j) to = j
    else if (count - 1 >= i) from = i
    else return
  }
}
