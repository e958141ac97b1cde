import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Time between two checks. */
const EVERY_MS = 10_000
/** Growth of a thread's heap since its last full collection that makes another one worthwhile. */
const GROWTH_BYTES = 32 * 1_024 * 1_024
/**
 * Largest heap that is collected. Larger ones are left to V8, because collecting them would block the thread for too
 * long.
 */
const COLLECTED_MAX_BYTES = 400 * 1_024 * 1_024
/**
 * Time between two thorough collections. Such a collection also empties pages that are half full and gives back room
 * for new objects: of a heap of 130 MB with 52 MB of living objects it left 50 MB, and took 230 ms where a plain one
 * took 25. So it is rare, and waits until the thread does next to nothing.
 */
const THOROUGH_EVERY_MS = 10 * 60_000
const THOROUGH_MAX_BYTES = 200 * 1_024 * 1_024
const IDLE_MAX = 0.05
/**
 * Time for which V8 keeps the pages of a thread that has ended, for other threads. Later a collection of one of these
 * gives them back; nothing else does (`--memory-pool-timeout`, in seconds).
 */
const POOLED_MS = 8_000
/** Share of busy time above which a collection would make requests wait, and V8 collects by itself. */
const BUSY_MAX = 0.3

export interface HeapReleaseParts {
  /**
   * Bytes that the heap takes from the system, together with memory outside of the heap that its objects keep alive.
   */
  readonly totalBytes: () => number
  /** Bytes of the heap alone, which a collection visits. */
  readonly heapBytes: () => number
  /** Share of the time since the last call in which the thread was busy. */
  readonly utilization: () => number
  readonly collect: () => void
  readonly collectThoroughly: () => void
  /** Clock in milliseconds. */
  readonly now: () => number
}

/**
 * Gives memory back after a burst. V8 collects when it needs room, so an idle thread would keep for hours the memory
 * that a burst of a few seconds has allocated. A collection takes tens of milliseconds. It therefore runs only after
 * the heap has grown and while the thread has time.
 */
export class HeapRelease {
  /** That of this thread, once it was started. */
  static #started: HeapRelease | null = null
  readonly #parts: HeapReleaseParts
  readonly #busyMax: number
  /** Bytes after the last collection, or since V8 has collected by itself. Growth counts from here. */
  #settledBytes: number
  #isThoroughDue = false
  #thoroughAt = -Infinity
  #thoroughBytes = 0
  /** When the pages of an ended thread can be given back; null while there are none. */
  #pooledUntil: number | null = null

  /** @param busyMax share of busy time up to which the heap is collected; 1 for a thread that no request waits for */
  constructor(parts: HeapReleaseParts = ofThisThread(), busyMax = BUSY_MAX) {
    this.#parts = parts
    this.#busyMax = busyMax
    this.#settledBytes = parts.totalBytes()
    parts.utilization()
  }

  /**
   * Checks every ten seconds while the thread lives, without keeping it alive. What the start left behind, code that no
   * request needs among it, is collected thoroughly as soon as the thread does next to nothing.
   */
  static start(busyMax?: number): HeapRelease {
    const release = new HeapRelease(ofThisThread(), busyMax)
    release.noteStart()
    HeapRelease.#started = release
    setInterval(() => release.look(), EVERY_MS).unref()
    return release
  }

  /** Asks for a collection in this thread after another one has ended, whose heap the process would keep. */
  static noteThreadEnd(): void {
    HeapRelease.#started?.noteThreadEnd()
  }

  /** Asks for a collection once V8 gives the pages of an ended thread back with it. */
  noteThreadEnd(): void {
    this.#pooledUntil = this.#parts.now() + POOLED_MS
  }

  /** Asks for a thorough collection of what a start left behind, however little the heap has grown since. */
  noteStart(): void {
    this.#isThoroughDue = true
    this.#thoroughBytes = -Infinity
  }

  /** Asks for a thorough collection. Call it when many objects that had lived long have become garbage. */
  noteGarbage(): void {
    this.#isThoroughDue = true
  }

  /** Collects if the heap has grown enough and the thread has time. */
  look(): void {
    const { totalBytes, heapBytes, utilization, collect } = this.#parts
    const busy = utilization()
    const isBusy = busy > this.#busyMax
    const total = totalBytes()
    if (this.#mayBeThorough(busy, total)) {
      this.#collectThoroughly()
      return
    }
    if (total < this.#settledBytes) this.#settledBytes = total
    if (isBusy || heapBytes() > COLLECTED_MAX_BYTES) return
    if (total - this.#settledBytes < GROWTH_BYTES && !this.#hasPooledPages()) return
    collect()
    this.#noteCollected()
  }

  #mayBeThorough(busy: number, total: number): boolean {
    if (!this.#isThoroughDue || busy > IDLE_MAX || total - this.#thoroughBytes < GROWTH_BYTES) return false
    const { now, heapBytes } = this.#parts
    return now() - this.#thoroughAt >= THOROUGH_EVERY_MS && heapBytes() <= THOROUGH_MAX_BYTES
  }

  #collectThoroughly(): void {
    const { collectThoroughly, now } = this.#parts
    collectThoroughly()
    this.#isThoroughDue = false
    this.#thoroughAt = now()
    this.#thoroughBytes = this.#noteCollected()
  }

  #hasPooledPages(): boolean {
    return this.#pooledUntil !== null && this.#parts.now() >= this.#pooledUntil
  }

  /** Returns the bytes after a collection. */
  #noteCollected(): number {
    if (this.#hasPooledPages()) this.#pooledUntil = null
    return (this.#settledBytes = this.#parts.totalBytes())
  }
}

/** Returns the heap of the current thread. */
export function ofThisThread(): HeapReleaseParts {
  let before = performance.eventLoopUtilization()
  const collect = collector()
  return {
    now: () => performance.now(),
    totalBytes: () => {
      const { total_heap_size: heap, external_memory: outside } = getHeapStatistics()
      return heap + outside
    },
    heapBytes: () => getHeapStatistics().total_heap_size,
    utilization: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
    collect: () => collect(),
    collectThoroughly: () => collect({ type: 'major', execution: 'sync', flavor: 'last-resort' }),
  }
}

/**
 * V8's function `gc` with its options (`src/extensions/gc-extension.cc`). Without options the collection is a plain
 * one.
 */
type Collect = (options?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * Returns V8's function `gc`. Only contexts created while the flag is set have it. The flag stays set, because it
 * belongs to the process and another thread may be creating its context.
 */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext("typeof gc === 'function' ? gc : null") as Collect | null
  return collect ?? (() => undefined)
}
