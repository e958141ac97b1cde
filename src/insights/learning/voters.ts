import type { Vote } from './votes.ts'

/**
 * Visitor ids cost nothing, networks do: so many visitors of one, which is the /24 of IPv4 or the /48 of IPv6, count
 * under a query on a day. A machine with an address of each kind stays under `VISITORS_MIN` for `DAYS_MIN` days.
 */
const NETWORK_VISITORS_MAX = 3
/** Of each query, whoever searched last; of each visitor, the last searches. */
const VISITORS_MAX = 1_000
const SEARCHES_MAX = 3

/** A visitor's click, with the hash of where it came from. */
export interface Origin extends Vote {
  readonly network: string | null
}

/** Decides under one query who is heard. It is asked about searches in one order, the newest first. */
export class Voters {
  readonly #areTrusted: boolean
  /** Searches heard of each. */
  readonly #heard = new Map<string, number>()
  readonly #networks = new Map<string, number>()

  /** @param areTrusted whether visitor ids are believed wherever they come from */
  constructor(areTrusted: boolean) {
    this.#areTrusted = areTrusted
  }

  get isFull(): boolean {
    return this.#heard.size >= VISITORS_MAX
  }

  /** Whether another search of the visitor could be heard; says nothing of the network. */
  mayBeHeard(visitor: string): boolean {
    const searches = this.#heard.get(visitor)
    return searches === undefined ? !this.isFull : searches < SEARCHES_MAX
  }

  /** Whether this search of the visitor is heard; it counts as heard from then on. */
  hear(origin: Origin): boolean {
    const { visitor } = origin
    if (!this.mayBeHeard(visitor)) return false
    const searches = this.#heard.get(visitor) ?? 0
    if (searches === 0 && !this.#hasRoom(origin)) return false
    this.#heard.set(visitor, searches + 1)
    return true
  }

  /** A user is known, wherever it comes from. */
  #hasRoom({ period, day, network }: Origin): boolean {
    if (period === null || this.#areTrusted) return true
    const place = `${day} ${network}`
    const others = this.#networks.get(place) ?? 0
    this.#networks.set(place, others + 1)
    return others < NETWORK_VISITORS_MAX
  }
}
