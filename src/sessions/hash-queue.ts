import { Fault } from '../faults.ts'

export interface HashQueueLimits {
  /** How many are worked on at once: each takes a thread and its memory. */
  readonly running: number
  /** How many of one party wait. */
  readonly perParty: number
  /** How many wait in all. */
  readonly waiting: number
}

const LIMITS: HashQueueLimits = { running: 2, perParty: 4, waiting: 256 }
const RETRY_AFTER_SECONDS = 2

/**
 * Work that costs much, a little of it at a time. Parties take turns, so that one that floods it waits for itself;
 * what would wait too long is refused at once.
 */
export class HashQueue {
  #running = 0
  #waiting = 0
  /** Who waits, by party; the party whose turn is next comes first. */
  readonly #parties = new Map<string, (() => void)[]>()
  readonly #limits: HashQueueLimits

  constructor(limits: HashQueueLimits = LIMITS) {
    this.#limits = limits
  }

  /** @throws Fault rate_limited when the party has too much waiting, unavailable when all have */
  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.running) await this.#wait(party)
    else this.#running++
    try {
      return await work()
    } finally {
      this.#handOn()
    }
  }

  /** Resolves when the place of one that ended is the party's. */
  async #wait(party: string): Promise<void> {
    const others = this.#parties.get(party) ?? []
    if (others.length >= this.#limits.perParty) throw busy('rate_limited')
    if (this.#waiting >= this.#limits.waiting) throw busy('unavailable')
    const { promise, resolve } = Promise.withResolvers<void>()
    others.push(resolve)
    this.#parties.set(party, others)
    this.#waiting++
    await promise
  }

  #handOn(): void {
    const next = this.#parties.entries().next().value
    if (next === undefined) {
      this.#running--
      return
    }
    const [party, waiters] = next
    const wake = waiters.shift()!
    this.#waiting--
    this.#parties.delete(party)
    if (waiters.length > 0) this.#parties.set(party, waiters)
    wake()
  }
}

function busy(kind: 'rate_limited' | 'unavailable'): Fault {
  const detail = { loc: [], msg: 'Too many sign-ins at once, try again', type: kind }
  return new Fault(kind, [detail], { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
