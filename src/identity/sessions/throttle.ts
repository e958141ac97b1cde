import { siteOf } from '../../platform/throttling/client-address.ts'
import { type NamedBucket, takeEachOrRefuse, TokenBuckets } from '../../platform/throttling/token-buckets.ts'

const MINUTE_MS = 60_000
/** Limit for one account from one address: ten failures at once, then one a minute. */
const PER_ACCOUNT = { capacity: 10, intervalMs: MINUTE_MS }
/** Limit for one address, which may be a whole office: sixty failures at once, then twenty a minute. */
const PER_ADDRESS = { capacity: 60, intervalMs: MINUTE_MS / 20 }
/** Limit for one /48 of IPv6, which may be a site with many networks, or an attacker with a new /64 for each try. */
const PER_SITE = { capacity: 240, intervalMs: MINUTE_MS / 80 }
const REFUSAL = { loc: [], msg: 'Too many failed sign-ins; try again later' }

/**
 * Limits guesses at passwords. There is no limit for an account alone: an attacker could use it up to lock the owner of
 * the account out. Only failures count, because many people may share one address.
 */
export class SignInThrottle {
  readonly #accounts = new TokenBuckets(PER_ACCOUNT.capacity, PER_ACCOUNT.intervalMs)
  readonly #addresses = new TokenBuckets(PER_ADDRESS.capacity, PER_ADDRESS.intervalMs)
  readonly #sites = new TokenBuckets(PER_SITE.capacity, PER_SITE.intervalMs)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /**
   * Counts a try before its result is known, so that many tries at once are counted too.
   * @returns a function that takes the count back, for a try that succeeded
   * @throws Fault rate_limited; a refused try does not count
   */
  enter(address: string, account: string): () => void {
    const now = this.#now()
    const site = siteOf(address)
    const counters: NamedBucket[] = [
      [this.#accounts, `${address} ${account}`],
      [this.#addresses, address],
    ]
    if (site !== null) counters.push([this.#sites, site])
    takeEachOrRefuse(counters, now, REFUSAL)
    return () => {
      for (const [buckets, name] of counters) buckets.giveBack(name, this.#now())
    }
  }
}
