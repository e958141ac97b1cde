import { getHeapStatistics } from 'node:v8'

/**
 * V8 ends the process, not the thread, when a thread's heap is full and what it was about to allocate does not fit
 * the few megabytes that Node grants it for its end. The only way to survive that limit is not to meet it: indexes get
 * a share of the heap that leaves room for everything else, and this guard looks whether that worked out.
 */

/** What analysis remembers, a batch of changes, a very long document, and a dictionary while it doubles. */
const RESERVE_BYTES = 256 * 2 ** 20
/** Of what an index leaves behind when it goes, V8 collects some only later. */
const GARBAGE_FACTOR = 1.5
/** However small the heap, so much of it is for indexes. */
const SHARE_MIN = 1 / 8
/** From here on V8 collects all the time, and the end is near. */
const SHORT_SHARE = 0.9
const NEXT_SHARE = 0.03

/** The heap to ask for, so that all of `bytesMax` may lie on it; megabytes. */
export function heapMbFor(bytesMax: number): number {
  return Math.ceil((GARBAGE_FACTOR * bytesMax + RESERVE_BYTES) / 2 ** 20)
}

/** What of a heap indexes may take. */
export function indexShareOf(heapBytes: number): number {
  return Math.floor(Math.max((heapBytes - RESERVE_BYTES) / GARBAGE_FACTOR, heapBytes * SHARE_MIN))
}

/** Tells when a heap is nearly full. */
export class HeapGuard {
  readonly #short: number
  readonly #step: number
  readonly #used: () => number
  #next: number

  /** @param used bytes in use, garbage included */
  constructor(bytesMax: number, used = () => getHeapStatistics().used_heap_size) {
    this.#short = bytesMax * SHORT_SHARE
    this.#step = bytesMax * NEXT_SHARE
    this.#used = used
    this.#next = this.#short
  }

  /** Once when it gets there, and again when it went on growing: what was let go is only gone after a collection. */
  isShort(): boolean {
    const used = this.#used()
    if (used < this.#short) this.#next = this.#short
    if (used < this.#next) return false
    this.#next = used + this.#step
    return true
  }
}
