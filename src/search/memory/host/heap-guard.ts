import { getHeapStatistics } from 'node:v8'

/**
 * When a thread's heap is full and an allocation does not fit the few spare megabytes that Node grants, V8 ends the
 * whole process, not just the thread. The limit must never be reached: indexes get a share of the heap that leaves room
 * for everything else, and this guard watches whether that is enough.
 */

/** For the cache of the analysis, a batch of changes, a very long document, and a dictionary while it doubles. */
const RESERVE_BYTES = 256 * 2 ** 20
/** V8 frees part of a dropped index only later. */
const GARBAGE_FACTOR = 1.5
/** Indexes get at least this share, however small the heap. */
const SHARE_MIN = 1 / 8
/** From here on V8 collects garbage all the time and the limit is close. */
const SHORT_SHARE = 0.9
const NEXT_SHARE = 0.03

/** Megabytes of heap to request so that all of `bytesMax` fits on it. */
export function heapMbFor(bytesMax: number): number {
  return Math.ceil((GARBAGE_FACTOR * bytesMax + RESERVE_BYTES) / 2 ** 20)
}

/** Bytes of a heap that indexes may use. */
export function indexShareOf(heapBytes: number): number {
  return Math.floor(Math.max((heapBytes - RESERVE_BYTES) / GARBAGE_FACTOR, heapBytes * SHARE_MIN))
}

/** Reports when a heap is nearly full. */
export class HeapGuard {
  readonly #short: number
  readonly #step: number
  readonly #used: () => number
  #next: number

  /** @param used bytes in use, including garbage */
  constructor(bytesMax: number, used = () => getHeapStatistics().used_heap_size) {
    this.#short = bytesMax * SHORT_SHARE
    this.#step = bytesMax * NEXT_SHARE
    this.#used = used
    this.#next = this.#short
  }

  /**
   * True once when the heap becomes short, and again when it kept growing: dropped memory is freed only by a
   * collection.
   */
  isShort(): boolean {
    const used = this.#used()
    if (used < this.#short) this.#next = this.#short
    if (used < this.#next) return false
    this.#next = used + this.#step
    return true
  }
}
