import { TokenBuckets } from '../throttling/token-buckets.ts'

const MINUTE_MS = 60_000
const REFUSAL = { loc: ['header', 'authorization'], msg: 'Too many requests, try again' }

/**
 * What is counted: requests by their credential, and credentials that were refused by the address they came from. A
 * minute's allowance may be spent at once.
 */
export class RateLimits {
  readonly #requests: TokenBuckets
  /** Good credentials are never held against an address, so that nobody shuts out others behind the same one. */
  readonly #refusals: TokenBuckets

  constructor(perMinute: number) {
    this.#requests = new TokenBuckets(perMinute, MINUTE_MS / perMinute)
    this.#refusals = new TokenBuckets(perMinute, MINUTE_MS / perMinute)
  }

  /** Counts a request with a good credential. @throws Fault rate_limited with the seconds to wait */
  countRequest(credentialId: string, now: number): void {
    this.#requests.takeOrRefuse(credentialId, now, REFUSAL)
  }

  /**
   * Counts a credential that was refused.
   * @param address as `clientAddress` has it
   * @throws Fault rate_limited with the seconds to wait
   */
  countRefusal(address: string, now: number): void {
    this.#refusals.takeOrRefuse(address, now, REFUSAL)
  }
}
