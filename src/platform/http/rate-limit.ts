import { TokenBuckets } from '../throttling/token-buckets.ts'

const MINUTE_MS = 60_000
const REFUSAL = { loc: ['header', 'authorization'], msg: 'Too many requests, try again' }

/**
 * Counts requests per credential, and refused credentials per address. A credential may use the allowance of a minute
 * at once.
 */
export class RateLimits {
  readonly #requests: TokenBuckets
  /**
   * Buckets per address. Valid credentials never count here, so that no sender can lock out others behind the same
   * address.
   */
  readonly #refusals: TokenBuckets

  constructor(perMinute: number) {
    this.#requests = new TokenBuckets(perMinute, MINUTE_MS / perMinute)
    this.#refusals = new TokenBuckets(perMinute, MINUTE_MS / perMinute)
  }

  /** Counts a request with a valid credential. @throws Fault rate_limited with the seconds to wait */
  countRequest(credentialId: string, now: number): void {
    this.#requests.takeOrRefuse(credentialId, now, REFUSAL)
  }

  /**
   * Counts searches of a request beyond its first.
   * @param before how many of them were counted already
   * @throws Fault rate_limited with the seconds to wait
   */
  countSearches(credentialId: string, before: number, count: number, now: number): void {
    this.#requests.takeMoreOrRefuse(credentialId, before, count, now, REFUSAL)
  }

  /**
   * Counts a refused credential.
   * @param address as `clientAddress` returns it
   * @throws Fault rate_limited with the seconds to wait
   */
  countRefusal(address: string, now: number): void {
    this.#refusals.takeOrRefuse(address, now, REFUSAL)
  }
}
