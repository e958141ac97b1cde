import { siteOf } from '../../platform/throttling/client-address.ts'
import { type Counted, takeEachOrRefuse, TokenBuckets } from '../../platform/throttling/token-buckets.ts'

const MINUTE_MS = 60_000
/** Of one account from one address: ten mistakes at once, then one a minute. */
const PER_ACCOUNT = { capacity: 10, intervalMs: MINUTE_MS }
/** Of one address: a whole office behind it may mistype, then twenty a minute. */
const PER_ADDRESS = { capacity: 60, intervalMs: MINUTE_MS / 20 }
/** Of one /48 of IPv6, which may be a site with many networks, or one guesser who takes a new /64 for each try. */
const PER_SITE = { capacity: 240, intervalMs: MINUTE_MS / 80 }
const REFUSAL = { loc: [], msg: 'Too many sign-ins that failed, try again later' }

/**
 * Bounds how often passwords are guessed. Nothing is counted for an account alone: whoever could make that run out
 * could keep its owner from signing in. Only what fails counts, so that one address may be that of many people.
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
   * Counts a try before it is known how it ends, so that many at once are counted as well.
   * @returns a function that forgets it, for a try that succeeded
   * @throws Fault rate_limited; such a try counts for nothing
   */
  enter(address: string, account: string): () => void {
    const now = this.#now()
    const site = siteOf(address)
    const counted: Counted[] = [
      [this.#accounts, `${address} ${account}`],
      [this.#addresses, address],
    ]
    if (site !== null) counted.push([this.#sites, site])
    takeEachOrRefuse(counted, now, REFUSAL)
    return () => {
      for (const [buckets, name] of counted) buckets.giveBack(name, this.#now())
    }
  }
}
