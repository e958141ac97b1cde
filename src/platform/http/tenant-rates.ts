import type { TenantContext } from '../access/caller.ts'
import { Fault, quotaExceeded } from '../faults.ts'
import { TokenBuckets } from '../throttling/token-buckets.ts'

const MINUTE_MS = 60_000
const QUOTA = 'requests_per_minute'
const MSG = 'The tenant has made the requests that it may make in a minute, try again'
const WORDS = { loc: ['quota', QUOTA], msg: MSG }

interface Rate {
  readonly perMinute: number
  readonly buckets: TokenBuckets
}

/**
 * Counts the requests of tenants that have a quota of them, over all their credentials. The allowance of a minute may be
 * used at once.
 */
export class TenantRates {
  readonly #rates = new Map<string, Rate>()

  /** Counts a request. @throws Fault rate_limited of type quota_exceeded with the seconds to wait */
  countRequest(tenant: Pick<TenantContext, 'id' | 'quotas'>, now: number): void {
    const buckets = this.#bucketsOf(tenant)
    if (buckets !== null) named(() => buckets.takeOrRefuse(tenant.id, now, WORDS))
  }

  /**
   * Counts searches of a request beyond its first.
   * @param before how many of them were counted already
   * @throws Fault like `countRequest`
   */
  countSearches(tenant: Pick<TenantContext, 'id' | 'quotas'>, before: number, count: number, now: number): void {
    const buckets = this.#bucketsOf(tenant)
    if (buckets !== null) named(() => buckets.takeMoreOrRefuse(tenant.id, before, count, now, WORDS))
  }

  #bucketsOf({ id, quotas }: Pick<TenantContext, 'id' | 'quotas'>): TokenBuckets | null {
    const perMinute = quotas?.requestsPerMinute ?? null
    if (perMinute === null) {
      if (this.#rates.size > 0) this.#rates.delete(id)
      return null
    }
    let rate = this.#rates.get(id)
    if (rate?.perMinute !== perMinute) {
      rate = { perMinute, buckets: new TokenBuckets(perMinute, MINUTE_MS / perMinute) }
      this.#rates.set(id, rate)
    }
    return rate.buckets
  }
}

function named(take: () => void): void {
  try {
    take()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw quotaExceeded(QUOTA, MSG, (error.retryAfterSeconds ?? 1) * 1_000)
  }
}
