import { Fault } from '../faults.ts'

const MINUTE_MS = 60_000
const KEYS_MAX = 10_000

/**
 * Generic cell rate algorithm (ITU-T I.371): one number per key, the time at which its allowance is whole
 * again. A minute's allowance may be spent at once. At most `KEYS_MAX` keys are remembered; the one seen
 * longest ago is forgotten first, which can only forgive.
 */
export class RateLimiter {
  private readonly intervalMs: number
  private readonly wholeAt = new Map<string, number>()

  constructor(perMinute: number) {
    this.intervalMs = MINUTE_MS / perMinute
  }

  /** @throws Fault `rate_limited` with the seconds to wait; a refused call costs no allowance */
  take(key: string, nowMs: number): void {
    const wholeAt = Math.max(this.wholeAt.get(key) ?? 0, nowMs) + this.intervalMs
    const waitMs = wholeAt - nowMs - MINUTE_MS
    // The sum of many intervals may exceed the minute by rounding alone.
    if (waitMs > 0.001) {
      const detail = { loc: ['header', 'authorization'], msg: 'Too many requests, try again', type: 'rate_limited' }
      throw new Fault('rate_limited', [detail], { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
    }
    this.wholeAt.delete(key)
    this.wholeAt.set(key, wholeAt)
    if (this.wholeAt.size > KEYS_MAX) this.wholeAt.delete(this.wholeAt.keys().next().value as string)
  }

  get size(): number {
    return this.wholeAt.size
  }
}

/** What is counted: requests by their credential, and credentials that were refused by the address they came from. */
export class RateLimits {
  readonly requests: RateLimiter
  /** Good credentials are never held against an address, so that nobody shuts out others behind the same one. */
  readonly refusals: RateLimiter

  constructor(perMinute: number) {
    this.requests = new RateLimiter(perMinute)
    this.refusals = new RateLimiter(perMinute)
  }
}
