export interface Waiter {
  readonly wake: () => void
  readonly refuse: (reason: Error) => void
}

interface Network {
  count: number
  /** The next address to be served comes first. */
  readonly addresses: Map<string, Waiter[]>
}

/** Take only from a queue that is at least this much longer than the newcomer's, so it cannot become the shorter one. */
const LEAD = 2

/**
 * Waiters by network and address. Networks take turns, and so do the addresses within each network. A new network comes
 * last; until its turn each other network has at most one, whatever else is added.
 */
export class FairWaiters {
  /** The next network to be served comes first. */
  readonly #networks = new Map<string, Network>()
  #size = 0

  get size(): number {
    return this.#size
  }

  countOf(network: string, address: string): number {
    return this.#networks.get(network)?.addresses.get(address)?.length ?? 0
  }

  add(network: string, address: string, waiter: Waiter): void {
    const its = this.#networks.get(network) ?? { count: 0, addresses: new Map<string, Waiter[]>() }
    const waiters = its.addresses.get(address) ?? []
    waiters.push(waiter)
    its.addresses.set(address, waiters)
    its.count++
    this.#networks.set(network, its)
    this.#size++
  }

  /** Takes out the next waiter; null when nobody waits. */
  take(): Waiter | null {
    const first = this.#networks.entries().next().value
    if (first === undefined) return null
    const [network, its] = first
    const [address, waiters] = its.addresses.entries().next().value!
    const waiter = waiters.shift()!
    its.addresses.delete(address)
    if (waiters.length > 0) its.addresses.set(address, waiters)
    its.count--
    this.#networks.delete(network)
    if (its.count > 0) this.#networks.set(network, its)
    this.#size--
    return waiter
  }

  /**
   * Makes room for a newcomer: takes the latest waiter from the longest queue of the largest network, or else of the
   * newcomer's own network. Null when none is at least LEAD longer than the newcomer's queue.
   */
  dropFor(network: string, address: string): Waiter | null {
    const own = this.#networks.get(network)
    const [largestName, largest] = maxBy(this.#networks, (its) => its.count)
    if (largest.count - (own?.count ?? 0) >= LEAD) return this.#dropFrom(largestName, largest)
    if (own === undefined) return null
    const [, most] = maxBy(own.addresses, (waiters) => waiters.length)
    return most.length - this.countOf(network, address) >= LEAD ? this.#dropFrom(network, own) : null
  }

  #dropFrom(network: string, its: Network): Waiter {
    const [address, waiters] = maxBy(its.addresses, ({ length }) => length)
    const waiter = waiters.pop()!
    if (waiters.length === 0) its.addresses.delete(address)
    its.count--
    if (its.count === 0) this.#networks.delete(network)
    this.#size--
    return waiter
  }
}

/** The first of the largest entries. The map must not be empty. */
function maxBy<T>(map: ReadonlyMap<string, T>, sizeOf: (value: T) => number): [name: string, value: T] {
  return [...map].reduce((largest, each) => (sizeOf(each[1]) > sizeOf(largest[1]) ? each : largest))
}
