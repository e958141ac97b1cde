import type { Vote } from './votes.ts'

/**
 * Most visitors of a network (/24 of IPv4, /48 of IPv6) that count for a query on a day. A client can make up visitor
 * ids, but not networks. A machine with an IPv4 and an IPv6 address stays under `VISITORS_MIN` for `DAYS_MIN` days.
 */
const NETWORK_VISITORS_MAX = 3
/** Most visitors that count for a query: those who searched last. */
const VISITORS_MAX = 1_000
/** Most searches of a visitor that count for a query. */
const SEARCHES_MAX = 3

/** Click of a visitor, with the hash of the visitor's network; null when it was not recorded. */
export interface Origin extends Vote {
  readonly network: string | null
}

/** Decides which searches of one query count. Call it with the newest search first. */
export class Voters {
  readonly #areTrusted: boolean
  /** Searches that count, by visitor. */
  readonly #searches = new Map<string, number>()
  /** Visitors that count, by day and network. */
  readonly #networks = new Map<string, number>()

  /** @param areTrusted whether visitor ids stand for different people, whatever network they come from */
  constructor(areTrusted: boolean) {
    this.#areTrusted = areTrusted
  }

  /** Whether no further visitor may count. */
  get isFull(): boolean {
    return this.#searches.size >= VISITORS_MAX
  }

  /** Tells whether another search of the visitor may count, apart from the limit of the network. */
  mayCount(visitor: string): boolean {
    const searches = this.#searches.get(visitor)
    return searches === undefined ? !this.isFull : searches < SEARCHES_MAX
  }

  /** Counts a search if it may count. @returns whether the search counts */
  count(origin: Origin): boolean {
    const { visitor } = origin
    if (!this.mayCount(visitor)) return false
    const searches = this.#searches.get(visitor) ?? 0
    if (searches === 0 && !this.#takeRoom(origin)) return false
    this.#searches.set(visitor, searches + 1)
    return true
  }

  /**
   * Takes room of the network for another visitor. Users need none, because a client cannot make up users.
   * @returns whether there was room
   */
  #takeRoom({ period, day, network }: Origin): boolean {
    if (period === null || this.#areTrusted) return true
    const place = `${day} ${network}`
    const others = this.#networks.get(place) ?? 0
    this.#networks.set(place, others + 1)
    return others < NETWORK_VISITORS_MAX
  }
}
