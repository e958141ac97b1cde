import { getHeapStatistics } from 'node:v8'

/**
 * When a thread's heap is full and an allocation does not fit the few spare megabytes that Node grants, V8 ends the
 * whole process, not just the thread. The limit must never be reached: indexes get a share of the heap that leaves room
 * for everything else, and this guard watches whether that is enough.
 */

/** Heap for the cache of the analysis, a batch of changes, a very long document, and a dictionary while it doubles. */
const RESERVE_BYTES = 256 * 2 ** 20
/** Bytes of heap for each byte of an index, since V8 frees part of a dropped index only later. */
const GARBAGE_FACTOR = 1.5
/** Least share of the heap that indexes get, however small the heap is. */
const SHARE_MIN = 1 / 8
/** Share of the heap in use from which on V8 collects garbage all the time and the limit is close. */
const SHORT_SHARE = 0.9
/** Share of the heap by which a short heap must grow before it is reported again. */
const NEXT_SHARE = 0.03

/** Returns the megabytes of heap to request so that indexes of `bytesMax` bytes fit. */
export function heapMbFor(bytesMax: number): number {
  return Math.ceil((GARBAGE_FACTOR * bytesMax + RESERVE_BYTES) / 2 ** 20)
}

/** Returns the bytes of a heap that indexes may use. */
export function indexShareOf(heapBytes: number): number {
  return Math.floor(Math.max((heapBytes - RESERVE_BYTES) / GARBAGE_FACTOR, heapBytes * SHARE_MIN))
}

/** Reports when a heap is nearly full. */
export class HeapGuard {
  readonly #short: number
  readonly #step: number
  readonly #used: () => number
  #next: number

  /** @param used returns the bytes in use, including garbage */
  constructor(bytesMax: number, used = () => getHeapStatistics().used_heap_size) {
    this.#short = bytesMax * SHORT_SHARE
    this.#step = bytesMax * NEXT_SHARE
    this.#used = used
    this.#next = this.#short
  }

  /**
   * Tells whether the heap is short. Says so once when the heap becomes short, and again only when it has grown
   * further, since memory that was dropped after the first report is freed only by a later collection.
   */
  isShort(): boolean {
    const used = this.#used()
    if (used < this.#short) this.#next = this.#short
    if (used < this.#next) return false
    this.#next = used + this.#step
    return true
  }
}
