import { clientAddress } from '../throttling/client-address.ts'
import { TokenBuckets } from '../throttling/token-buckets.ts'

const REFUSAL = { loc: [], msg: 'Too many requests from this address, try again later' }

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
    this.#buckets.takeOrRefuse(clientAddress(ip), this.#now(), REFUSAL)
  }
}
