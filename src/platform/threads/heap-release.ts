import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_MS = 10_000
/** Growth of a thread's heap since its last full collection that makes another one worthwhile. */
const GROWTH_BYTES = 32 * 1_024 * 1_024
/** Larger heaps are left to V8, because collecting them would block the thread for too long. */
const COLLECTED_MAX_BYTES = 400 * 1_024 * 1_024
/** Above this share of busy time a collection would make others wait, and V8 collects by itself. */
const BUSY_MAX = 0.3

export interface HeapReleaseParts {
  /** Bytes that the heap takes from the system, with memory outside of the heap that it keeps alive. */
  readonly heldBytes: () => number
  /** Share of the time since the last call in which the thread was busy. */
  readonly utilization: () => number
  readonly collect: () => void
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

  /** @param busyMax share of busy time up to which the thread is collected; 1 for threads that nobody waits for */
  constructor(parts: HeapReleaseParts = ofThisThread(), busyMax = BUSY_MAX) {
    this.#parts = parts
    this.#busyMax = busyMax
    this.#settledBytes = parts.heldBytes()
    parts.utilization()
  }

  /** Checks every ten seconds while the thread lives, without keeping it alive. */
  static start(busyMax?: number): void {
    const release = new HeapRelease(ofThisThread(), busyMax)
    setInterval(() => release.look(), EVERY_MS).unref()
  }

  /** Collects if the heap has grown enough and the thread has time. */
  look(): void {
    const { heldBytes, utilization, collect } = this.#parts
    const isBusy = utilization() > this.#busyMax
    const held = heldBytes()
    if (held < this.#settledBytes) this.#settledBytes = held
    if (isBusy || held > COLLECTED_MAX_BYTES || held - this.#settledBytes < GROWTH_BYTES) return
    collect()
    this.#settledBytes = heldBytes()
  }
}

/** The heap of the current thread. */
export function ofThisThread(): HeapReleaseParts {
  let before = performance.eventLoopUtilization()
  return {
    heldBytes: () => {
      const { total_heap_size: heap, external_memory: outside } = getHeapStatistics()
      return heap + outside
    },
    utilization: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
    collect: collector(),
  }
}

/**
 * V8's `gc` function. Only contexts created while the flag is set have it. The flag stays set, because it belongs to
 * the process and another thread may be creating its context.
 */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext("typeof gc === 'function' ? gc : null") as (() => void) | null
  return collect ?? (() => undefined)
}
