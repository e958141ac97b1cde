import { clientAddress, siteOf } from '../../platform/throttling/client-address.ts'
import { type Counted, takeEachOrRefuse, TokenBuckets } from '../../platform/throttling/token-buckets.ts'

const REFUSAL = { loc: [], msg: 'Too many requests from this address, try again later' }
/** What a /48 of IPv6 has of one address's share: it may be a site with many networks, or one who takes new ones. */
const SITE_SHARES = 4

/** Bounds how often something that needs no credential, and is written down, happens from one address. */
export class AddressLimit {
  readonly #addresses: TokenBuckets
  readonly #sites: TokenBuckets
  readonly #now: () => number

  constructor(bounds: { readonly atOnce: number; readonly perMinute: number }, now: () => number = Date.now) {
    const intervalMs = 60_000 / bounds.perMinute
    this.#addresses = new TokenBuckets(bounds.atOnce, intervalMs)
    this.#sites = new TokenBuckets(bounds.atOnce * SITE_SHARES, intervalMs / SITE_SHARES)
    this.#now = now
  }

  /** @throws Fault rate_limited; what is refused counts for nothing */
  take(ip: string): void {
    const address = clientAddress(ip)
    const site = siteOf(address)
    const counted: Counted[] = [[this.#addresses, address]]
    if (site !== null) counted.push([this.#sites, site])
    takeEachOrRefuse(counted, this.#now(), REFUSAL)
  }
}
