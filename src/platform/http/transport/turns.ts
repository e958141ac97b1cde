import type { FastifyRequest } from 'fastify'
import { FairQueue } from '../../threads/fair-queue.ts'
import { clientAddress } from '../../throttling/client-address.ts'

/** How long requests are begun in one turn of the event loop before those that wait are asked in turns. */
const TURN_MS = 2

/**
 * Begins requests in turns. A few go straight through; when more come at once than a turn of the event loop should
 * take, the rest waits, and owners are begun one after the other: whoever sends on many connections at once delays
 * itself. Beginning one costs nothing while nothing waits. For work that is short and cannot stop halfway; what is long
 * takes `Slices` once it runs.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>()
  readonly #now: () => number
  #isTurn = false
  #startedMs = 0

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /**
   * @param owner the tenant, or the address of somebody who has none
   * @param begin called once, now or in a later turn of the event loop
   */
  enter(owner: string, begin: () => void): void {
    if (this.#waiting.isEmpty && !this.#isOver()) return begin()
    this.#waiting.push(owner, begin)
    // One for each that waits: between two of them the work that the first began is done as far as it needs no answer.
    setImmediate(this.#beginNext)
  }

  readonly #beginNext = (): void => {
    if (this.#isOver()) {
      setImmediate(this.#beginNext)
      return
    }
    this.#waiting.shift()!()
  }

  /** Whether this turn of the event loop has had its time; the first to ask begins it. */
  #isOver(): boolean {
    if (this.#isTurn) return this.#now() - this.#startedMs >= TURN_MS
    this.#isTurn = true
    this.#startedMs = this.#now()
    setImmediate(() => {
      this.#isTurn = false
    })
    return false
  }
}

/** Whom a request is begun for. */
export function ownerOf({ caller, ip }: FastifyRequest): string {
  return caller === null ? `address ${clientAddress(ip)}` : `tenant ${caller.tenant.id}`
}
