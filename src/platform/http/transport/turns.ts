import type { FastifyRequest } from 'fastify'
import { FairQueue } from '../../threads/fair-queue.ts'
import { workFor } from '../../hidden-parameters.ts'
import { clientAddress } from '../../throttling/client-address.ts'

/**
 * Milliseconds of one turn of the event loop in which requests start at once. After that, requests wait and owners take
 * turns.
 */
const TURN_MS = 2

/**
 * Starts requests in turns. A few start at once. When more arrive than one turn of the event loop should take, the rest
 * wait and owners take turns, so a client with many connections delays only itself. It costs nothing while no request
 * waits. It is for work that is short and cannot be interrupted; long work uses `Slices` once it runs.
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

  /** Number of requests that wait for their turn. */
  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Starts a request now or in a later turn of the event loop.
   * @param owner the tenant, or the address of a sender without one
   * @param begin called once
   */
  enter(owner: string, begin: () => void): void {
    if (this.#waiting.isEmpty && !this.#isOver()) return begin()
    this.#waiting.push(owner, begin)
    // One request per turn of the event loop: between two turns, the first request's work runs until it waits for an
    // answer.
    setImmediate(this.#beginNext)
  }

  /**
   * Starts the rest of a request as work of its own tenant. Without that, it would count as work of the request that
   * was served before it.
   */
  enterRequest(request: FastifyRequest, begin: () => void): void {
    const { caller, record } = request
    this.enter(ownerOf(request), () => workFor(caller === null ? '' : caller.tenant.id, begin, record))
  }

  readonly #beginNext = (): void => {
    if (this.#isOver()) {
      setImmediate(this.#beginNext)
      return
    }
    this.#waiting.shift()!()
  }

  /** Tells whether the time of this turn of the event loop is used up. The first call in a turn starts its clock. */
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

/** Returns the owner that a request takes turns as. */
export function ownerOf({ caller, ip }: FastifyRequest): string {
  return caller === null ? `address ${clientAddress(ip)}` : `tenant ${caller.tenant.id}`
}
