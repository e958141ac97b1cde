import type { Vote } from './votes.ts'

/**
 * Visitors of one network (/24 of IPv4, /48 of IPv6) that count for a query on a day. Visitor ids cost nothing, but
 * networks do. A machine with an IPv4 and an IPv6 address stays under `VISITORS_MIN` for `DAYS_MIN` days.
 */
const NETWORK_VISITORS_MAX = 3
/** Visitors that count for a query, those who searched last, and searches that count for each of them. */
const VISITORS_MAX = 1_000
const SEARCHES_MAX = 3

/** A visitor's click, with the hash of the network it came from. */
export interface Origin extends Vote {
  readonly network: string | null
}

/** Decides which searches of one query count. Call it with the newest search first. */
export class Voters {
  readonly #areTrusted: boolean
  /** Searches that count, by visitor. */
  readonly #counted = new Map<string, number>()
  readonly #networks = new Map<string, number>()

  /** @param areTrusted whether visitor ids are trusted, whatever network they come from */
  constructor(areTrusted: boolean) {
    this.#areTrusted = areTrusted
  }

  get isFull(): boolean {
    return this.#counted.size >= VISITORS_MAX
  }

  /** Whether another search of the visitor may count. Does not look at the network. */
  mayCount(visitor: string): boolean {
    const searches = this.#counted.get(visitor)
    return searches === undefined ? !this.isFull : searches < SEARCHES_MAX
  }

  /** Counts this search if it may count. @returns whether it does */
  count(origin: Origin): boolean {
    const { visitor } = origin
    if (!this.mayCount(visitor)) return false
    const searches = this.#counted.get(visitor) ?? 0
    if (searches === 0 && !this.#hasRoom(origin)) return false
    this.#counted.set(visitor, searches + 1)
    return true
  }

  /** Whether the network has room for another visitor. Users need none: nobody can make them up. */
  #hasRoom({ period, day, network }: Origin): boolean {
    if (period === null || this.#areTrusted) return true
    const place = `${day} ${network}`
    const others = this.#networks.get(place) ?? 0
    this.#networks.set(place, others + 1)
    return others < NETWORK_VISITORS_MAX
  }
}
