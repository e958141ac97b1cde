import { clientAddress, siteOf } from '../../platform/throttling/client-address.ts'
import { type NamedBucket, takeEachOrRefuse, TokenBuckets } from '../../platform/throttling/token-buckets.ts'

const REFUSAL = { loc: [], msg: 'Too many requests from this address, try again later' }
/** Addresses that one /48 of IPv6 counts as: it is a site with many networks, or an attacker who has them. */
const SITE_SHARES = 4

/** Limits requests from one address that need no credential and yet store something. */
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

  /** Counts a request from an address. @throws Fault rate_limited; a refused request does not count */
  take(ip: string): void {
    const address = clientAddress(ip)
    const site = siteOf(address)
    const counters: NamedBucket[] = [[this.#addresses, address]]
    if (site !== null) counters.push([this.#sites, site])
    takeEachOrRefuse(counters, this.#now(), REFUSAL)
  }
}
