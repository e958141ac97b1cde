import { siteOf } from '../../platform/throttling/client-address.ts'
import { type NamedBucket, takeEachOrRefuse, TokenBuckets } from '../../platform/throttling/token-buckets.ts'

const MINUTE_MS = 60_000
/** Limit for one account from one address: ten failures at once, then one a minute. */
const PER_ACCOUNT = { capacity: 10, intervalMs: MINUTE_MS }
/** Limit for one address, which may be a whole office: sixty failures at once, then twenty a minute. */
const PER_ADDRESS = { capacity: 60, intervalMs: MINUTE_MS / 20 }
/** Limit for one /48 of IPv6, which may be a site with many networks, or an attacker with a new /64 for each try. */
const PER_SITE = { capacity: 240, intervalMs: MINUTE_MS / 80 }
/**
 * Limit for one account from all strangers together: a hundred failures at once (NIST SP 800-63B, 5.2.2), then four an
 * hour.
 */
const PER_ACCOUNT_OF_STRANGERS = { capacity: 100, intervalMs: 15 * MINUTE_MS }
const REFUSAL = { loc: [], msg: 'Too many failed sign-ins; try again later' }

/**
 * Where a try comes from: a browser in which the account signed in before, an address at which it is signed in, or a
 * stranger.
 */
export type Origin = { readonly device: string } | 'known address' | 'stranger'

/**
 * Limits guesses at passwords. An account as a whole has a limit for strangers alone: an attacker could use up one for
 * everybody to lock the owner of the account out. Only failures count, because many people may share one address.
 */
export class SignInThrottle {
  readonly #accounts = new TokenBuckets(PER_ACCOUNT.capacity, PER_ACCOUNT.intervalMs)
  readonly #addresses = new TokenBuckets(PER_ADDRESS.capacity, PER_ADDRESS.intervalMs)
  readonly #devices = new TokenBuckets(PER_ACCOUNT.capacity, PER_ACCOUNT.intervalMs)
  readonly #strangers = new TokenBuckets(PER_ACCOUNT_OF_STRANGERS.capacity, PER_ACCOUNT_OF_STRANGERS.intervalMs)
  readonly #sites = new TokenBuckets(PER_SITE.capacity, PER_SITE.intervalMs)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Tells whether strangers have used up the tries of an account. */
  isUsedUp(account: string): boolean {
    return this.#strangers.waitMs(account, this.#now()) > 0
  }

  /**
   * Counts a try before its result is known, so that many tries at once are counted too.
   * @param origin by default that of a caller who proved before who they are
   * @returns a function that takes the count back, for a try that succeeded
   * @throws Fault rate_limited; a refused try does not count
   */
  enter(address: string, account: string, origin: Origin = 'known address'): () => void {
    const now = this.#now()
    const site = siteOf(address)
    const counters: NamedBucket[] = [
      [this.#accounts, `${address} ${account}`],
      [this.#addresses, address],
    ]
    if (site !== null) counters.push([this.#sites, site])
    if (origin === 'stranger') counters.push([this.#strangers, account])
    // A stolen cookie may be used from many addresses.
    else if (origin !== 'known address') counters.push([this.#devices, `${origin.device} ${account}`])
    takeEachOrRefuse(counters, now, REFUSAL)
    return () => {
      for (const [buckets, name] of counters) buckets.giveBack(name, this.#now())
    }
  }
}
