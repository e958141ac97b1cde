import type { Caller, TenantContext } from '../access/caller.ts'
import { Fault, quotaExceeded } from '../faults.ts'
import { takeEachOrRefuse, TokenBuckets } from '../throttling/token-buckets.ts'

const MINUTE_MS = 60_000
const QUOTA = 'requests_per_minute'
const MSG = 'The tenant has made the requests that it may make in a minute, try again'
const WORDS = { loc: ['quota', QUOTA], msg: MSG }

/**
 * Share of a tenant's requests that publishable keys may make. Every visitor of a page has such a key, so a stranger
 * could otherwise use up the quota and keep out the tenant's own people.
 */
const PAGES_SHARE = 0.9

type Requester = Pick<Caller, 'publishable'> & { readonly tenant: Pick<TenantContext, 'id' | 'quotas'> }

interface Rate {
  readonly perMinute: number
  readonly all: TokenBuckets
  readonly pages: TokenBuckets
}

/**
 * Counts the requests of tenants that have a quota of requests, over all their credentials. A tenant may use the
 * allowance of a minute at once.
 */
export class TenantRates {
  readonly #rates = new Map<string, Rate>()

  /** Counts a request. @throws Fault rate_limited of type quota_exceeded with the seconds to wait */
  countRequest(requester: Requester, now: number): void {
    const takes = this.#bucketsOf(requester).map((buckets) => [buckets, requester.tenant.id] as const)
    if (takes.length > 0) asQuota(() => takeEachOrRefuse(takes, now, WORDS))
  }

  /**
   * Counts searches of a request beyond its first.
   * @param before how many of them were counted already
   * @throws Fault like `countRequest`
   */
  countSearches(requester: Requester, before: number, count: number, now: number): void {
    for (const buckets of this.#bucketsOf(requester))
      asQuota(() => buckets.takeMoreOrRefuse(requester.tenant.id, before, count, now, WORDS))
  }

  /** Returns the buckets that a request takes from, the smaller one first; none without a quota. */
  #bucketsOf({ publishable, tenant: { id, quotas } }: Requester): readonly TokenBuckets[] {
    const perMinute = quotas?.requestsPerMinute ?? null
    if (perMinute === null) {
      if (this.#rates.size > 0) this.#rates.delete(id)
      return []
    }
    let rate = this.#rates.get(id)
    if (rate?.perMinute !== perMinute) {
      rate = { perMinute, all: bucketsFor(perMinute), pages: bucketsFor(Math.ceil(perMinute * PAGES_SHARE)) }
      this.#rates.set(id, rate)
    }
    return publishable === undefined ? [rate.all] : [rate.pages, rate.all]
  }
}

function bucketsFor(perMinute: number): TokenBuckets {
  return new TokenBuckets(perMinute, MINUTE_MS / perMinute)
}

function asQuota(take: () => void): void {
  try {
    take()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw quotaExceeded(QUOTA, MSG, (error.retryAfterSeconds ?? 1) * 1_000)
  }
}
