import { FairQueue } from './fair-queue.ts'

/** Says that a turn did not come in time; `faultOf` knows it by the code that PostgreSQL has for a lock. */
export class SlotTimeout extends Error {
  override readonly name = 'SlotTimeout'
  readonly code = '55P03'
}

export interface FairSlotsOptions {
  readonly slots: number
  /** How many slots a party may hold, all unless given; one without a name has no such bound. */
  readonly perParty?: number
  /** How long anybody waits for a slot; for ever unless given. */
  readonly waitMs?: number
}

export interface Patience {
  /** How long this one waits, where not as long as all. */
  readonly waitMs?: number
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A number of slots for work that waits on something else: connections, providers, pages. However many wait for one
 * party, the others find slots, and those who wait for one get it party by party. `FairLock` has a single holder and
 * shares by time instead; `Slices` and `Turns` share out a thread that is busy itself.
 */
export class FairSlots {
  #free: number
  readonly #perParty: number
  readonly #waitMs: number | undefined
  readonly #held = new Map<string, number>()
  readonly #waiting = new FairQueue<() => void>()

  constructor({ slots, perParty = slots, waitMs }: FairSlotsOptions) {
    this.#free = slots
    this.#perParty = perParty
    this.#waitMs = waitMs
  }

  /**
   * Runs the work in a slot.
   * @throws SlotTimeout when none came free for the party in time, or the signal's reason when it was aborted before
   */
  async run<T>(party: string, work: () => Promise<T>, patience?: Patience): Promise<T> {
    await this.enter(party, patience)
    try {
      return await work()
    } finally {
      this.leave(party)
    }
  }

  /** Takes a slot, to be given back by `leave`. @throws like `run` */
  async enter(party: string, { waitMs = this.#waitMs, signal }: Patience = {}): Promise<void> {
    if (this.#free > 0 && this.#isOpenTo(party)) {
      this.#take(party)
      return
    }
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const start = (): void => {
      // Taken at once, so that nobody comes in between.
      this.#take(party)
      resolve()
    }
    const giveUp = (reason: Error): void => {
      this.#waiting.remove(party, start)
      reject(reason)
    }
    const onAbort = (): void => giveUp(signal!.reason as Error)
    const timer =
      waitMs === undefined ? undefined : setTimeout(() => giveUp(new SlotTimeout('no turn came in time')), waitMs)
    this.#waiting.push(party, start)
    signal?.addEventListener('abort', onAbort)
    try {
      await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  leave(party: string): void {
    this.#free++
    const held = this.#held.get(party)! - 1
    if (held > 0) this.#held.set(party, held)
    else this.#held.delete(party)
    while (this.#free > 0) {
      const start = this.#waiting.shift((each) => this.#isOpenTo(each))
      if (start === undefined) return
      start()
    }
  }

  #isOpenTo(party: string): boolean {
    return party === '' || (this.#held.get(party) ?? 0) < this.#perParty
  }

  #take(party: string): void {
    this.#free--
    this.#held.set(party, (this.#held.get(party) ?? 0) + 1)
  }
}
