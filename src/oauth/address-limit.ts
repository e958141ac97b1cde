import { rateLimited } from '../faults.ts'
import { clientAddress, siteOf } from '../throttling/client-address.ts'
import { TokenBuckets } from '../throttling/token-buckets.ts'

const REFUSAL = { loc: [], msg: 'Too many requests from this address, try again later' }

/** A /48 of IPv6 may be a site with many networks, or one sender who takes a new /64 for each request. */
const ADDRESSES_OF_A_SITE = 4

/** Bounds how often something that needs no credential, and is written down, happens from one address. */
export class AddressLimit {
  readonly #addresses: TokenBuckets
  readonly #sites: TokenBuckets
  readonly #now: () => number

  constructor(bounds: { readonly atOnce: number; readonly perMinute: number }, now: () => number = Date.now) {
    const { atOnce, perMinute } = bounds
    this.#addresses = new TokenBuckets(atOnce, 60_000 / perMinute)
    this.#sites = new TokenBuckets(ADDRESSES_OF_A_SITE * atOnce, 60_000 / (ADDRESSES_OF_A_SITE * perMinute))
    this.#now = now
  }

  /** @throws Fault rate_limited; what is refused counts for nothing */
  take(ip: string): void {
    const address = clientAddress(ip)
    const site = siteOf(address)
    const now = this.#now()
    const waitMs = Math.max(this.#addresses.waitMs(address, now), site === null ? 0 : this.#sites.waitMs(site, now))
    if (waitMs > 0) throw rateLimited(REFUSAL.loc, REFUSAL.msg, waitMs)
    this.#addresses.take(address, now)
    if (site !== null) this.#sites.take(site, now)
  }
}
