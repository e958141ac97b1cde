import { FairQueue } from '../fair-queue.ts'

/** How long requests may begin one after the other before the event loop turns. */
const TURN_MS = 4

/**
 * Lets requests begin in turns. Node hands over all that has arrived on all connections before anything else happens,
 * and on SQLite a request runs until it waits for something: hundreds at once would keep everybody for as long as
 * they take together. What does not fit a turn waits, owner by owner, and one of it begins in each turn after it.
 */
export class RequestTurns {
  readonly #waiting = new FairQueue<() => void>()
  #began = 0
  #isScheduled = false
  readonly #now: () => number

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /**
   * Calls `start` at once while the turn lasts and nobody waits, else later.
   * @param owner a tenant, or an address where there is none
   */
  begin(owner: string, start: () => void): void {
    if (!this.#isScheduled) this.#schedule()
    if (this.#waiting.isEmpty && this.#now() - this.#began < TURN_MS) start()
    else this.#waiting.push(owner, start)
  }

  #schedule(): void {
    this.#isScheduled = true
    this.#began = this.#now()
    setImmediate(() => {
      this.#isScheduled = false
      if (this.#waiting.isEmpty) return
      this.#schedule()
      this.#waiting.shift()!()
    })
  }
}
