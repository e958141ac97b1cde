import { FairQueue } from './fair-queue.ts'

const SLICE_MS = 2

/** Function that long work calls between steps of a millisecond or two at most. When it returns a promise, await it. */
export type Pause = () => Promise<void> | undefined

/**
 * Runs long work in slices of a few milliseconds. Between slices the event loop takes in and answers requests, and
 * owners take turns, so that one with much work does not block another. For work that keeps the thread busy and can be
 * interrupted; `Turns` is for starting requests, which is short and cannot be interrupted.
 */
export class Slices {
  readonly #waiting = new FairQueue<{ readonly owner: string; readonly start: () => void }>()
  /** Transactions that wait for their next slice. */
  readonly #holders: (() => void)[] = []
  /** Whether the last slice was that of a transaction. */
  #wasHolder = false
  #scheduled = false
  /** Whether a slice has already run in this turn of the event loop. */
  #isTurn = false
  /** Time at which the last slice began. */
  #started = Number.NEGATIVE_INFINITY
  readonly #now: () => number
  /** Receives the milliseconds that steps of an owner's work took; null where nothing counts them. */
  onWork: ((owner: string, ms: number) => void) | null = null
  /** The owner whose step runs in this turn of the event loop, and since when; null without one. */
  #step: { readonly owner: string; readonly since: number } | null = null

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /** Number of pieces of work that wait for their next slice. */
  get waiting(): number {
    return this.#waiting.size + this.#holders.length
  }

  /**
   * Returns undefined while the slice lasts, then a promise for the owner's next slice. Each turn of the event loop
   * runs one slice. The first slice starts at once if no other work waits, so short work never waits. Call it between
   * steps of a millisecond or two at most, and await the result.
   * @param owner the tenant that the work is for
   */
  readonly pause = (owner: string): Promise<void> | undefined => {
    const now = this.#now()
    if (this.onWork !== null) this.#endStep(owner, now)
    if (this.#isSlice(now)) {
      this.#beginStep(owner, now)
      return undefined
    }
    return new Promise((resolve) => {
      this.#waiting.push(owner, { owner, start: resolve })
      this.#schedule()
    })
  }

  /**
   * Like `pause`, for work in a transaction, which other writers wait for: transactions get every second slice.
   * Otherwise a transaction would wait for all other work of its own owner and of others.
   */
  readonly pauseHolding: Pause = () => {
    this.#step = null
    if (this.#isSlice(this.#now())) return undefined
    return new Promise((resolve) => {
      this.#holders.push(resolve)
      this.#schedule()
    })
  }

  /** Tells whether a slice is running. Starts one if this turn of the event loop has had none yet. */
  #isSlice(now: number): boolean {
    if (now - this.#started < SLICE_MS) return true
    if (this.#isTurn || this.#scheduled) return false
    this.#begin(now)
    return true
  }

  #begin(now: number): void {
    this.#started = now
    this.#isTurn = true
    setImmediate(() => {
      this.#isTurn = false
      // Work that goes on after this turn has waited for something in between, such as a database.
      this.#step = null
    })
  }

  #beginStep(owner: string, since: number): void {
    if (this.onWork !== null) this.#step = { owner, since }
  }

  /** Ends the running step. Another owner's call tells nothing about it, since both took a part of the time. */
  #endStep(owner: string, now: number): void {
    if (this.#step?.owner === owner) this.onWork!(owner, now - this.#step.since)
    this.#step = null
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      const now = this.#now()
      this.#begin(now)
      this.#startNext(now)
      if (!this.#waiting.isEmpty || this.#holders.length > 0) this.#schedule()
    })
  }

  #startNext(now: number): void {
    const holder = this.#wasHolder && !this.#waiting.isEmpty ? undefined : this.#holders.shift()
    this.#wasHolder = holder !== undefined
    if (holder !== undefined) return holder()
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#beginStep(next.owner, now)
    next.start()
  }
}

/** The slices of this thread. All long work on the thread shares them, because it shares the event loop. */
export const threadSlices = new Slices()

/** Returns the pause of one owner, for work that knows no tenants. */
export function pauseOf(owner: string): Pause {
  return () => threadSlices.pause(owner)
}

/**
 * Returns `items.map(make)`, made in slices of the owner.
 * @example
 * ```ts
 * const lengths = await mapInSlices('tenant-1', ['a', 'bc'], (text) => text.length)
 * ```
 */
export async function mapInSlices<T, R>(owner: string, items: readonly T[], make: (item: T) => R): Promise<R[]> {
  const results: R[] = []
  for (const item of items) {
    const pause = threadSlices.pause(owner)
    if (pause !== undefined) await pause
    results.push(make(item))
  }
  return results
}
