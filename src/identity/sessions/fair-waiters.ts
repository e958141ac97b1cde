export interface Waiter {
  readonly wake: () => void
  readonly refuse: (reason: Error) => void
}

interface Network {
  count: number
  /** The address whose turn is next comes first. */
  readonly addresses: Map<string, Waiter[]>
}

/** One has so many more than another that taking one from it leaves it no worse off than the other. */
const LEAD = 2

/**
 * Who waits, by network and address: networks take turns, and within each its addresses. One network more than wait
 * already comes last, and each before it has one turn at most until then, whatever else is added.
 */
export class FairWaiters {
  /** The network whose turn is next comes first. */
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

  /** Takes out whose turn it is; null when nobody waits. */
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
   * Takes out the one who came last of the address with most waiting, in the network with most, to make room for one
   * more; else of the newcomer's own network. Null when nobody has more than the newcomer then would.
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

/** The first of the largest. There is at least one. */
function maxBy<T>(map: ReadonlyMap<string, T>, sizeOf: (value: T) => number): [name: string, value: T] {
  return [...map].reduce((largest, each) => (sizeOf(each[1]) > sizeOf(largest[1]) ? each : largest))
}
