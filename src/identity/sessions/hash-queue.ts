import { availableParallelism } from 'node:os'
import { Fault } from '../../platform/faults.ts'
import { clientNetwork } from '../../platform/throttling/client-address.ts'
import { FairWaiters } from './fair-waiters.ts'

export interface HashQueueLimits {
  /** Most pieces of work that run at once; each takes a thread and memory. */
  readonly running: number
  /** Most pieces of work that may wait for one address. */
  readonly perAddress: number
  /** Most pieces of work that may wait in all. */
  readonly waiting: number
}

/** Pieces of work that run at once: one core is left to the thread that answers requests. */
const RUNNING = Math.max(1, Math.min(2, availableParallelism() - 1))
const LIMITS: HashQueueLimits = { running: RUNNING, perAddress: 4, waiting: 256 }
const RETRY_AFTER_SECONDS = 2

/**
 * Runs expensive work, a few pieces at once. Networks take turns, and so do the addresses within each network, so that
 * a network that floods the queue waits for itself. In a full queue, the network or address with the most waiting work
 * gives up a place to one with less. Unlike `FairSlots` it bounds the waiting work, since strangers may come without a
 * credential.
 */
export class HashQueue {
  #running = 0
  readonly #waiters = new FairWaiters()
  readonly #limits: HashQueueLimits

  constructor(limits: HashQueueLimits = LIMITS) {
    this.#limits = limits
  }

  /** Pieces of work that wait for their turn. */
  get waiting(): number {
    return this.#waiters.size
  }

  /**
   * Runs work when its turn has come.
   * @param address as `clientAddress` returns it
   * @throws Fault rate_limited when too much work of the address waits; unavailable when the queue is full
   */
  async run<T>(address: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.running) await this.#wait(address)
    else this.#running++
    try {
      return await work()
    } finally {
      // The next waiter takes over the place, so the count stays.
      const next = this.#waiters.take()
      if (next === null) this.#running--
      else next.wake()
    }
  }

  #wait(address: string): Promise<void> {
    const network = clientNetwork(address)
    if (this.#waiters.countOf(network, address) >= this.#limits.perAddress) throw busy('rate_limited')
    if (this.#waiters.size >= this.#limits.waiting) {
      const dropped = this.#waiters.dropFor(network, address)
      if (dropped === null) throw busy('unavailable')
      dropped.refuse(busy('unavailable'))
    }
    return new Promise((wake, refuse) => this.#waiters.add(network, address, { wake, refuse }))
  }
}

function busy(kind: 'rate_limited' | 'unavailable'): Fault {
  const detail = { loc: [], msg: 'Too many sign-ins at once, try again', type: kind }
  return new Fault(kind, [detail], { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
