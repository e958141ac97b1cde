import { TokenBuckets } from '../../platform/throttling/token-buckets.ts'
import type { Holder } from './factors/factor-store.ts'

/** Wrong proofs of a user from all addresses together: ten at once, then one a minute. */
const PER_USER = { capacity: 10, intervalMs: 60_000 }
const REFUSAL = { loc: [], msg: 'Too many wrong passwords or codes; try again later' }

/**
 * Limits the guesses of a person who holds a session, at any address: a stolen cookie may be used from many. Signing in
 * does not count here, so a thief who uses up the tries does not lock the owner out.
 */
export class WrongProofs {
  readonly #users = new TokenBuckets(PER_USER.capacity, PER_USER.intervalMs)
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /**
   * Counts a try before its result is known, so that many tries at once count too.
   * @returns a function that takes the count back, for a try that was right
   * @throws Fault rate_limited; a refused try does not count
   */
  enter({ tenantId, userId }: Holder): () => void {
    const user = `${tenantId} ${userId}`
    this.#users.takeOrRefuse(user, this.#now(), REFUSAL)
    return () => this.#users.giveBack(user, this.#now())
  }
}
