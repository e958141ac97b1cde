import { TokenBuckets } from '../../../platform/throttling/token-buckets.ts'
import { SignInThrottle } from '../throttle.ts'
import type { ProofKind } from './factor-checks.ts'
import type { Holder } from './factor-store.ts'

/**
 * Limit for one user from all addresses together: twenty wrong codes at once, then four an hour. At three codes in a
 * million that are right, an attacker who guesses for a year hits one with a chance of a tenth. An attacker needs the
 * password to try a code, so a stranger cannot lock the user out; a recovery code or a passkey always works.
 */
const PER_USER = { capacity: 20, intervalMs: 900_000 }
const REFUSAL = { loc: [], msg: 'Too many wrong codes; try again later, or use a recovery code' }

/** Limits guesses at second factors: by user and address like passwords, and codes also by user alone. */
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
