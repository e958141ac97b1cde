import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_MS = 10_000
/** Growth of a thread's heap since its last full collection that makes another one worthwhile. */
const GROWTH_BYTES = 32 * 1_024 * 1_024
/** Larger heaps are left to V8, because collecting them would block the thread for too long. */
const COLLECTED_MAX_BYTES = 400 * 1_024 * 1_024
/**
 * A thorough collection also empties pages that are half full and gives back room for new objects: over 52 MB of living
 * objects it left 50 MB of 130, and took 230 ms where a plain one took 25. So it is rare, and waits until the thread
 * does next to nothing.
 */
const THOROUGH_EVERY_MS = 10 * 60_000
const THOROUGH_MAX_BYTES = 200 * 1_024 * 1_024
const IDLE_MAX = 0.05
/** Above this share of busy time a collection would make others wait, and V8 collects by itself. */
const BUSY_MAX = 0.3

export interface HeapReleaseParts {
  /** Bytes that the heap takes from the system, with memory outside of the heap that it keeps alive. */
  readonly heldBytes: () => number
  /** The heap alone, which a collection visits. */
  readonly heapBytes: () => number
  /** Share of the time since the last call in which the thread was busy. */
  readonly utilization: () => number
  readonly collect: () => void
  readonly collectThoroughly: () => void
  /** Clock in milliseconds. */
  readonly now: () => number
}

/**
 * Gives memory back after a burst. V8 collects when it needs room, so an idle thread would keep for hours what a burst
 * of a few seconds has allocated. A collection takes tens of milliseconds. It therefore runs only after the heap has
 * grown and while the thread has time.
 */
export class HeapRelease {
  readonly #parts: HeapReleaseParts
  readonly #busyMax: number
  #settledBytes: number
  #isThoroughDue = false
  #thoroughAt = -Infinity
  #thoroughBytes = 0

  /** @param busyMax share of busy time up to which the thread is collected; 1 for threads that nobody waits for */
  constructor(parts: HeapReleaseParts = ofThisThread(), busyMax = BUSY_MAX) {
    this.#parts = parts
    this.#busyMax = busyMax
    this.#settledBytes = parts.heldBytes()
    parts.utilization()
  }

  /** Checks every ten seconds while the thread lives, without keeping it alive. */
  static start(busyMax?: number): HeapRelease {
    const release = new HeapRelease(ofThisThread(), busyMax)
    setInterval(() => release.look(), EVERY_MS).unref()
    return release
  }

  /** Asks for a thorough collection, since much of what had lived long is garbage now. */
  noteGarbage(): void {
    this.#isThoroughDue = true
  }

  /** Collects if the heap has grown enough and the thread has time. */
  look(): void {
    const { heldBytes, heapBytes, utilization, collect } = this.#parts
    const busy = utilization()
    const isBusy = busy > this.#busyMax
    const held = heldBytes()
    if (this.#mayBeThorough(busy, held)) {
      this.#collectThoroughly()
      return
    }
    if (held < this.#settledBytes) this.#settledBytes = held
    if (isBusy || heapBytes() > COLLECTED_MAX_BYTES || held - this.#settledBytes < GROWTH_BYTES) return
    collect()
    this.#settledBytes = heldBytes()
  }

  #mayBeThorough(busy: number, held: number): boolean {
    if (!this.#isThoroughDue || busy > IDLE_MAX || held - this.#thoroughBytes < GROWTH_BYTES) return false
    const { now, heapBytes } = this.#parts
    return now() - this.#thoroughAt >= THOROUGH_EVERY_MS && heapBytes() <= THOROUGH_MAX_BYTES
  }

  #collectThoroughly(): void {
    const { collectThoroughly, heldBytes, now } = this.#parts
    collectThoroughly()
    this.#isThoroughDue = false
    this.#thoroughAt = now()
    this.#thoroughBytes = this.#settledBytes = heldBytes()
  }
}

/** The heap of the current thread. */
export function ofThisThread(): HeapReleaseParts {
  let before = performance.eventLoopUtilization()
  const collect = collector()
  return {
    now: () => performance.now(),
    heldBytes: () => {
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

/** V8's `gc` with what its extension takes (`src/extensions/gc-extension.cc`); a plain collection without. */
type Collect = (options?: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void

/**
 * V8's `gc` function. Only contexts created while the flag is set have it. The flag stays set, because it belongs to
 * the process and another thread may be creating its context.
 */
function collector(): Collect {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext("typeof gc === 'function' ? gc : null") as Collect | null
  return collect ?? (() => undefined)
}
