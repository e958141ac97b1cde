import { FairQueue } from './fair-queue.ts'

const SLICE_MS = 2

/** Called between steps that take a millisecond or two at most, and awaited where it gives a promise. */
export type Pause = () => Promise<void> | undefined

/**
 * Long work in slices: it runs a few milliseconds at a time, and between any two slices, whoever's, the event loop
 * takes in and answers requests. Owners take turns, so that one with much work does not keep another waiting. For work
 * that keeps the thread busy and can stop halfway; `Turns` is for the beginnings of requests, which are short, cannot
 * stop, and of which many fit between two turns of the event loop.
 */
export class Slices {
  readonly #waiting = new FairQueue<() => void>()
  readonly #holders: (() => void)[] = []
  #wasHolder = false
  #scheduled = false
  /** Whether a slice has run in this turn of the event loop. */
  #isTurn = false
  #started = Number.NEGATIVE_INFINITY
  readonly #now: () => number

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /**
   * Undefined while the slice lasts; then a promise for the owner's next slice. One slice runs in each turn of the
   * event loop, the first at once where nobody waits, so that short work never does. Call it between steps that take a
   * millisecond or two at most, and await what it returns.
   * @param owner the tenant that the work is for
   */
  readonly pause = (owner: string): Promise<void> | undefined => {
    if (this.#isSlice()) return undefined
    return new Promise((resolve) => {
      this.#waiting.push(owner, resolve)
      this.#schedule()
    })
  }

  /**
   * The same within a transaction, which others wait for: every second slice is one of these, whoever else has work.
   * The writer of an owner would else wait for all that its owner and the others have to do.
   */
  readonly pauseHolding: Pause = () => {
    if (this.#isSlice()) return undefined
    return new Promise((resolve) => {
      this.#holders.push(resolve)
      this.#schedule()
    })
  }

  /** Whether a slice is under way, or begins now. */
  #isSlice(): boolean {
    if (this.#now() - this.#started < SLICE_MS) return true
    if (this.#isTurn || this.#scheduled) return false
    this.#begin()
    return true
  }

  #begin(): void {
    this.#started = this.#now()
    this.#isTurn = true
    setImmediate(() => {
      this.#isTurn = false
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#begin()
      this.#startNext()
      if (!this.#waiting.isEmpty || this.#holders.length > 0) this.#schedule()
    })
  }

  #startNext(): void {
    const holder = this.#wasHolder && !this.#waiting.isEmpty ? undefined : this.#holders.shift()
    this.#wasHolder = holder !== undefined
    const start = holder ?? this.#waiting.shift()
    start?.()
  }
}

/** The slices of this thread. All long work on it shares them, because it shares the event loop. */
export const threadSlices = new Slices()

/** For work that knows nothing of tenants. */
export function pauseOf(owner: string): Pause {
  return () => threadSlices.pause(owner)
}

/** `items.map(make)`, in slices of the owner's. */
export async function mapInSlices<T, R>(owner: string, items: readonly T[], make: (item: T) => R): Promise<R[]> {
  const made: R[] = []
  for (const item of items) {
    const pause = threadSlices.pause(owner)
    if (pause !== undefined) await pause
    made.push(make(item))
  }
  return made
}
