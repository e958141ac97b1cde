import { TokenBuckets } from '../../../platform/throttling/token-buckets.ts'
import { SignInThrottle } from '../throttle.ts'
import type { ProofKind } from './factor-checks.ts'
import type { Holder } from './factor-store.ts'

/**
 * One user from everywhere: twenty wrong codes at once, then four an hour. At three codes in a million that
 * are right, who guesses for a year hits one with a chance of a tenth. Only who knows the password gets here, so this
 * cannot be used to lock anybody out; a recovery code or passkey still works.
 */
const PER_USER = { capacity: 20, intervalMs: 900_000 }
const REFUSAL = { loc: [], msg: 'Too many wrong codes; try again later, or use a recovery code' }

/** Limits how often second factors are guessed: by user and address as passwords are, and codes by user alone too. */
export class FactorThrottle {
  readonly #addresses: SignInThrottle
  readonly #users = new TokenBuckets(PER_USER.capacity, PER_USER.intervalMs)
  readonly #now: () => number

  constructor(now: () => number) {
    this.#addresses = new SignInThrottle(now)
    this.#now = now
  }

  /**
   * Counts a try before its result is known.
   * @returns a function that takes the count back, for a try that was right
   * @throws Fault rate_limited; a refused try does not count
   */
  enter(address: string, { tenantId, userId }: Holder, kind: ProofKind | 'password'): () => void {
    const user = `${tenantId} ${userId}`
    const forget = this.#addresses.enter(address, user)
    if (kind !== 'code') return forget
    try {
      this.#users.takeOrRefuse(user, this.#now(), REFUSAL)
    } catch (error) {
      forget()
      throw error
    }
    return () => {
      forget()
      this.#users.giveBack(user, this.#now())
    }
  }
}
