import { FairQueue } from './fair-queue.ts'

/** No slot came free in time. The code is PostgreSQL's for a lock timeout, which `faultOf` already maps. */
export class SlotTimeout extends Error {
  override readonly name = 'SlotTimeout'
  readonly code = '55P03'
}

export interface FairSlotsOptions {
  readonly slots: number
  /** Most slots of one owner; all by default. Does not apply to work without an owner. */
  readonly perOwner?: number
  /** Milliseconds that work waits for a slot; without end by default. */
  readonly waitMs?: number
}

export interface WaitOptions {
  /** Milliseconds that this work waits, instead of the default. */
  readonly waitMs?: number
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A limited number of slots for work that waits for something else: connections, providers, pages. One owner's waiting
 * work never blocks the others, and waiting owners take turns. `FairLock` has a single holder and shares time instead;
 * `Slices` and `Turns` share a busy thread.
 */
export class FairSlots {
  #free: number
  readonly #perOwner: number
  readonly #waitMs: number | undefined
  /** Number of slots that each owner has. */
  readonly #slotsOf = new Map<string, number>()
  readonly #waiting = new FairQueue<() => void>()

  constructor({ slots, perOwner = slots, waitMs }: FairSlotsOptions) {
    this.#free = slots
    this.#perOwner = perOwner
    this.#waitMs = waitMs
  }

  /** Number of pieces of work that wait for a slot. */
  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Runs the work in a slot.
   * @throws SlotTimeout when no slot came free in time, or the signal's reason when it was aborted before
   */
  async run<T>(owner: string, work: () => Promise<T>, options?: WaitOptions): Promise<T> {
    await this.enter(owner, options)
    try {
      return await work()
    } finally {
      this.leave(owner)
    }
  }

  /** Takes a slot; `leave` gives it back. @throws like `run` */
  async enter(owner: string, { waitMs = this.#waitMs, signal }: WaitOptions = {}): Promise<void> {
    signal?.throwIfAborted()
    if (this.#free > 0 && this.#isOpenTo(owner)) {
      this.#take(owner)
      return
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = (): void => {
      // Takes the slot at once, before newcomers can.
      this.#take(owner)
      resolve()
    }
    const giveUp = (reason: Error): void => {
      this.#waiting.remove(owner, start)
      reject(reason)
    }
    const onAbort = (): void => giveUp(signal!.reason as Error)
    const timer =
      waitMs === undefined ? undefined : setTimeout(() => giveUp(new SlotTimeout('no turn came in time')), waitMs)
    this.#waiting.push(owner, start)
    signal?.addEventListener('abort', onAbort)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** Gives a slot back, and lets waiting work have it. */
  leave(owner: string): void {
    this.#free++
    const slots = this.#slotsOf.get(owner)! - 1
    if (slots > 0) this.#slotsOf.set(owner, slots)
    else this.#slotsOf.delete(owner)
    while (this.#free > 0) {
      const start = this.#waiting.shift((each) => this.#isOpenTo(each))
      if (start === undefined) return
      start()
    }
  }

  #isOpenTo(owner: string): boolean {
    return owner === '' || (this.#slotsOf.get(owner) ?? 0) < this.#perOwner
  }

  #take(owner: string): void {
    this.#free--
    this.#slotsOf.set(owner, (this.#slotsOf.get(owner) ?? 0) + 1)
  }
}
