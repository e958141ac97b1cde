/** The k-th largest of the values offered, in a binary heap of k. */
export class KthLargest {
  readonly #heap: Float64Array
  #size = 0

  constructor(k: number) {
    this.#heap = new Float64Array(k)
  }

  /** The k-th largest value so far; minus infinity while there are fewer. */
  get value(): number {
    return this.#size < this.#heap.length ? -Infinity : this.#heap[0]
  }

  offer(value: number): void {
    const heap = this.#heap
    if (this.#size < heap.length) {
      let at = this.#size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (heap[parent] <= value) break
        heap[at] = heap[parent]
        at = parent
      }
      heap[at] = value
      return
    }
    if (!(value > heap[0])) return
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1] < heap[child]) child++
      if (heap[child] >= value) break
      heap[at] = heap[child]
      at = child
    }
    heap[at] = value
  }
}

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
