import { Fault } from '../faults.ts'
import { TokenBuckets } from '../http/token-buckets.ts'

const MINUTE_MS = 60_000
/** Of one account from one address: ten mistakes at once, then one a minute. */
const PER_ACCOUNT = { capacity: 10, intervalMs: MINUTE_MS }
/** Of one address: a whole office behind it may mistype, then twenty a minute. */
const PER_ADDRESS = { capacity: 60, intervalMs: MINUTE_MS / 20 }

/**
 * Bounds how often passwords are guessed. Nothing is counted for an account alone: whoever could make that run out
 * could keep its owner from signing in. Only what fails counts, so that one address may be that of many people.
 */
export class SignInThrottle {
  readonly #accounts = new TokenBuckets(PER_ACCOUNT.capacity, PER_ACCOUNT.intervalMs)
  readonly #addresses = new TokenBuckets(PER_ADDRESS.capacity, PER_ADDRESS.intervalMs)
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
    const ofAccount = `${address} ${account}`
    const waitMs = Math.max(this.#accounts.waitMs(ofAccount, now), this.#addresses.waitMs(address, now))
    if (waitMs > 0) throw tooMany(waitMs)
    this.#accounts.take(ofAccount, now)
    this.#addresses.take(address, now)
    return () => {
      this.#accounts.giveBack(ofAccount, this.#now())
      this.#addresses.giveBack(address, this.#now())
    }
  }
}

function tooMany(waitMs: number): Fault {
  const detail = { loc: [], msg: 'Too many sign-ins that failed, try again later', type: 'rate_limited' }
  return new Fault('rate_limited', [detail], { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
}
