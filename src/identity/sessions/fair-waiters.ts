import { FairQueue } from '../../platform/threads/fair-queue.ts'

export interface Waiter {
  readonly wake: () => void
  readonly refuse: (reason: Error) => void
}

/** One is taken from a queue only if it is at least two longer than the newcomer's, so that it stays no shorter. */
const LEAD = 2

/**
 * Two fair queues, one in the other: networks take turns, and within each network its addresses. A network that comes
 * now goes last; until its turn, every other network gets at most one turn.
 */
export class FairWaiters {
  /** The name of the network, once for each of its waiters. */
  readonly #networks = new FairQueue<string>()
  readonly #addresses = new Map<string, FairQueue<Waiter>>()

  get size(): number {
    return this.#networks.size
  }

  countOf(network: string, address: string): number {
    return this.#addresses.get(network)?.countOf(address) ?? 0
  }

  add(network: string, address: string, waiter: Waiter): void {
    const addresses = this.#addresses.get(network) ?? new FairQueue<Waiter>()
    this.#addresses.set(network, addresses)
    addresses.push(address, waiter)
    this.#networks.push(network, network)
  }

  /** Takes out the next waiter; null when nobody waits. */
  take(): Waiter | null {
    const network = this.#networks.shift()
    if (network === undefined) return null
    const waiter = this.#addresses.get(network)!.shift()!
    this.#forgetEmpty(network)
    return waiter
  }

  /**
   * Makes room for a newcomer: takes the latest waiter from the longest queue of the largest network, or else of the
   * newcomer's own network. Null when none is at least LEAD longer than the newcomer's queue.
   */
  dropFor(network: string, address: string): Waiter | null {
    const networks = this.#networks
    const own = networks.countOf(network)
    const longest = networks.longest
    if (longest === undefined) return null
    if (networks.countOf(longest) - own >= LEAD) return this.#dropFrom(longest)
    if (own === 0) return null
    const addresses = this.#addresses.get(network)!
    return addresses.countOf(addresses.longest!) - addresses.countOf(address) >= LEAD ? this.#dropFrom(network) : null
  }

  #dropFrom(network: string): Waiter {
    this.#networks.pop(network)
    const addresses = this.#addresses.get(network)!
    const waiter = addresses.pop(addresses.longest!)!
    this.#forgetEmpty(network)
    return waiter
  }

  #forgetEmpty(network: string): void {
    if (this.#addresses.get(network)!.isEmpty) this.#addresses.delete(network)
  }
}
