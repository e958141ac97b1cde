interface Waiter {
  readonly start: () => void
  readonly timer: NodeJS.Timeout
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
  /** Who waits, by party; the party whose turn is next comes first. */
  readonly #waiting = new Map<string, Waiter[]>()

  /** @param perParty how many slots a party may hold; one without a name has no such bound */
  constructor({ slots, perParty, waitMs }: { slots: number; perParty: number; waitMs: number }) {
    this.#free = slots
    this.#perParty = perParty
    this.#waitMs = waitMs
  }

  /** Runs the work in a slot. @throws SlotTimeout when none came free for the party in time */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    if (this.#isOpenTo(party)) this.#take(party)
    else await this.#turnOf(party)
    try {
      return await work()
    } finally {
      this.#release(party)
    }
  }

  #isOpenTo(party: string): boolean {
    return this.#free > 0 && (party === '' || (this.#held.get(party) ?? 0) < this.#perParty)
  }

  #take(party: string): void {
    this.#free--
    this.#held.set(party, (this.#held.get(party) ?? 0) + 1)
  }

  #release(party: string): void {
    this.#free++
    const held = this.#held.get(party)! - 1
    if (held > 0) this.#held.set(party, held)
    else this.#held.delete(party)
    this.#startNext()
  }

  /** Resolves when a slot is the party's. */
  #turnOf(party: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiters = this.#waiting.get(party) ?? []
      const timer = setTimeout(() => {
        waiters.splice(waiters.indexOf(waiter), 1)
        if (waiters.length === 0) this.#waiting.delete(party)
        reject(new SlotTimeout('no turn came in time'))
      }, this.#waitMs)
      const waiter = { start: resolve, timer }
      waiters.push(waiter)
      this.#waiting.set(party, waiters)
    })
  }

  #startNext(): void {
    for (const [party, waiters] of this.#waiting) {
      if (!this.#isOpenTo(party)) continue
      const { start, timer } = waiters.shift()!
      this.#waiting.delete(party)
      if (waiters.length > 0) this.#waiting.set(party, waiters)
      clearTimeout(timer)
      // Taken at once, so that nobody comes in between.
      this.#take(party)
      start()
      return
    }
  }
}
