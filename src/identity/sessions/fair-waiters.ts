import { FairQueue } from '../../platform/threads/fair-queue.ts'

export interface Waiter {
  readonly wake: () => void
  readonly refuse: (reason: Error) => void
}

/** Lead of a queue over the newcomer's by which it gives up a waiter: with two it stays at least as long. */
const LEAD = 2

/**
 * Queues waiters fairly on two levels: networks take turns, and the addresses of a network take turns within it. A
 * network that comes now goes last; until its turn, every other network gets at most one turn.
 */
export class FairWaiters {
  /** Names of the networks: each is queued once for each of its waiters. */
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

  /** Takes out the next waiter. @returns null without a waiter */
  take(): Waiter | null {
    const network = this.#networks.shift()
    if (network === undefined) return null
    const waiter = this.#addresses.get(network)!.shift()!
    this.#forgetEmpty(network)
    return waiter
  }

  /**
   * Makes room for a newcomer: takes the latest waiter from the longest queue of the largest network, or else of the
   * newcomer's own network.
   * @returns null when no network or queue is at least `LEAD` longer than the newcomer's
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
