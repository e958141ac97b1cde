import { FairQueue } from './fair-queue.ts'

interface Waiter {
  readonly party: string
  readonly start: () => void
  isGone: boolean
}

/** Says that a turn did not come in time; `faultOf` knows it by the code that PostgreSQL has for a lock. */
export class SlotTimeout extends Error {
  override readonly name = 'SlotTimeout'
  readonly code = '55P03'
}

/**
 * A number of slots that parties take in turn, each at most some of them at once: however many wait for one party, the
 * others find slots, and those who wait for one get it party by party.
 */
export class FairSlots {
  #free: number
  readonly #perParty: number
  readonly #waitMs: number
  readonly #held = new Map<string, number>()
  readonly #waiting = new FairQueue<Waiter>()

  /** @param perParty how many slots a party may hold; one without a name has no such bound */
  constructor({ slots, perParty, waitMs }: { slots: number; perParty: number; waitMs: number }) {
    this.#free = slots
    this.#perParty = perParty
    this.#waitMs = waitMs
  }

  /** Runs the work in a slot. @throws SlotTimeout when none came free for the party in time */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    await this.enter(party)
    try {
      return await work()
    } finally {
      this.leave(party)
    }
  }

  /** Takes a slot, to be given back by `leave`. @throws SlotTimeout like `run` */
  async enter(party: string): Promise<void> {
    if (this.#free > 0 && this.#isOpenTo(party)) {
      this.#take(party)
      return
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiter.isGone = true
        reject(new SlotTimeout('no turn came in time'))
      }, this.#waitMs)
      const start = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const waiter: Waiter = { party, start, isGone: false }
      this.#waiting.push(party, waiter)
    })
  }

  leave(party: string): void {
    this.#free++
    const held = this.#held.get(party)! - 1
    if (held > 0) this.#held.set(party, held)
    else this.#held.delete(party)
    while (this.#free > 0) {
      const next = this.#waiting.shift((each) => this.#isOpenTo(each))
      if (next === undefined) return
      if (next.isGone) continue
      // Taken at once, so that nobody comes in between.
      this.#take(next.party)
      next.start()
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
