import { Fault } from '../faults.ts'
import { clientAddress } from '../http/client-address.ts'
import { TokenBuckets } from '../http/token-buckets.ts'

/** Bounds how often something that needs no credential, and is written down, happens from one address. */
export class AddressLimit {
  readonly #buckets: TokenBuckets
  readonly #now: () => number

  constructor(bounds: { readonly atOnce: number; readonly perMinute: number }, now: () => number = Date.now) {
    this.#buckets = new TokenBuckets(bounds.atOnce, 60_000 / bounds.perMinute)
    this.#now = now
  }

  /** @throws Fault rate_limited; what is refused counts for nothing */
  take(ip: string): void {
    const [address, now] = [clientAddress(ip), this.#now()]
    const waitMs = this.#buckets.waitMs(address, now)
    if (waitMs > 0) {
      const detail = { loc: [], msg: 'Too many requests from this address, try again later', type: 'rate_limited' }
      throw new Fault('rate_limited', [detail], { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
    }
    this.#buckets.take(address, now)
  }
}
