import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

const EVERY_MS = 10_000
/** What a thread's heap may have grown by since it was last collected whole. */
const GROWTH_BYTES = 32 * 1_024 * 1_024
/** Collecting more than this would hold the thread up for longer than anybody should wait. */
const COLLECTED_MAX_BYTES = 400 * 1_024 * 1_024
/** Above this share of its time a thread is busy: a collection would make others wait, and V8 collects by itself. */
const BUSY_MAX = 0.3

export interface HeapReleaseParts {
  /** Bytes that the heap takes of the system, with what it keeps outside of itself. */
  readonly heldBytes: () => number
  /** Share of the time since the last call that the thread was busy. */
  readonly utilization: () => number
  readonly collect: () => void
}

/**
 * Gives memory back after a burst. V8 collects when it needs room; a thread with little to do would keep for hours what
 * a few seconds of abuse made its heap grow to. A collection takes some tens of milliseconds, so there is one only
 * after the heap has grown, while the thread has time, and none in most hours.
 */
export class HeapRelease {
  readonly #parts: HeapReleaseParts
  readonly #busyMax: number
  #settledBytes: number

  /** @param busyMax share of its time up to which the thread is collected; 1 where nobody waits for its answers */
  constructor(parts: HeapReleaseParts = ofThisThread(), busyMax = BUSY_MAX) {
    this.#parts = parts
    this.#busyMax = busyMax
    this.#settledBytes = parts.heldBytes()
    parts.utilization()
  }

  /** Looks every ten seconds for as long as the thread lives, without keeping it alive. */
  static start(busyMax?: number): void {
    const release = new HeapRelease(ofThisThread(), busyMax)
    setInterval(() => release.look(), EVERY_MS).unref()
  }

  /** Collects when it is time to. */
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

/** The heap of the thread that asks. */
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
 * V8's own `gc`, which a context has that is made while the flag is set. The flag stays: it is the process's, and
 * another thread may be about to make its context.
 */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext("typeof gc === 'function' ? gc : null") as (() => void) | null
  return collect ?? (() => undefined)
}
