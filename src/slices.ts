import { AsyncLocalStorage } from 'node:async_hooks'
import { FairQueue } from './fair-queue.ts'

/**
 * Long work in slices: it runs a few milliseconds at a time, and between any two slices, whoever's, the event loop
 * takes in and answers requests. Owners take turns, so that one with much work does not keep another waiting.
 */
const SLICE_MS = 4
/** Slices in a row of work that holds a lock, before one of other work. */
const HELD_IN_ROW = 2

/** Says that the work it runs holds what everybody waits for, such as the database's one writer. */
const holding = new AsyncLocalStorage<true>()

/**
 * Runs work that holds a lock, such as a transaction: its pauses do not queue behind other work of its owner's, which
 * would keep all who wait for the lock for as long as the owner likes.
 */
export function whileHolding<T>(work: () => T): T {
  return holding.run(true, work)
}

export class Slices {
  readonly #waiting = new FairQueue<() => void>()
  /** The same of work that holds a lock. It has two of three slices, so that it ends soon and the others go on. */
  readonly #waitingHolders = new FairQueue<() => void>()
  #heldInRow = 0
  #scheduled = false
  #started = Number.NEGATIVE_INFINITY
  readonly #now: () => number

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /**
   * Undefined while the slice lasts; then a promise for the owner's next slice. One slice runs in each turn of the
   * event loop. Call it between steps that take a millisecond or two at most, and await what it returns.
   * @param owner the tenant that the work is for
   */
  readonly pause = (owner: string): Promise<void> | undefined => {
    if (this.#now() - this.#started < SLICE_MS) return undefined
    const queue = holding.getStore() === true ? this.#waitingHolders : this.#waiting
    return new Promise((resolve) => {
      queue.push(owner, resolve)
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#started = this.#now()
      this.#startNext()
      if (!this.#waiting.isEmpty || !this.#waitingHolders.isEmpty) this.#schedule()
    })
  }

  #startNext(): void {
    const isHolder = !this.#waitingHolders.isEmpty && (this.#heldInRow < HELD_IN_ROW || this.#waiting.isEmpty)
    this.#heldInRow = isHolder ? this.#heldInRow + 1 : 0
    const queue = isHolder ? this.#waitingHolders : this.#waiting
    queue.shift()?.()
  }
}

/** The slices of this thread. All long work on it shares them, because it shares the event loop. */
export const threadSlices = new Slices()

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
