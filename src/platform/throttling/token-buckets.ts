import { type FaultDetail, rateLimited } from '../faults.ts'

/** Most buckets that are remembered. */
const NAMES_MAX = 50_000
/** Tolerance for rounding when many intervals are added up. */
const ROUNDING_MS = 0.001

type RefusalWords = Pick<FaultDetail, 'loc' | 'msg'>

/**
 * Token buckets by name: `capacity` tokens at once, then one every `intervalMs`. A bucket stores only the time at which
 * it is full again (the generic cell rate algorithm of ITU-T I.371). When there are too many names, the bucket that was
 * used longest ago is forgotten, which can only allow more.
 */
export class TokenBuckets {
  readonly #capacity: number
  readonly #intervalMs: number
  readonly #fullAt = new Map<string, number>()

  constructor(capacity: number, intervalMs: number) {
    this.#capacity = capacity
    this.#intervalMs = intervalMs
  }

  /**
   * Returns the milliseconds until the bucket has `count` tokens, or is full if `count` is more than a full bucket; 0
   * when that is so already. Takes no token.
   */
  waitMs(name: string, now: number, count = 1): number {
    const missingMs = Math.max((this.#fullAt.get(name) ?? 0) - now, 0)
    const waitMs = missingMs - Math.max(this.#capacity - count, 0) * this.#intervalMs
    return waitMs > ROUNDING_MS ? waitMs : 0
  }

  /** Takes tokens, even more than the bucket has now. Ask `waitMs` first. */
  take(name: string, now: number, count = 1): void {
    const fullAt = Math.max(this.#fullAt.get(name) ?? 0, now) + count * this.#intervalMs
    this.#fullAt.delete(name)
    this.#fullAt.set(name, fullAt)
    if (this.#fullAt.size > NAMES_MAX) this.#fullAt.delete(this.#fullAt.keys().next().value!)
  }

  /**
   * Takes a token if there is one.
   * @param words place and message of the fault
   * @throws Fault rate_limited with the seconds to wait; then no token is taken
   */
  takeOrRefuse(name: string, now: number, words: RefusalWords): void {
    takeEachOrRefuse([[this, name]], now, words)
  }

  /**
   * Takes `count` further tokens for a request that has already taken one token and `before` others. Tokens beyond a
   * full bucket are taken from the refill of the time after, so that a request that costs more than a full bucket is
   * served once the bucket is full.
   * @throws Fault rate_limited with the seconds until the whole request can be paid; then no token is taken
   */
  takeMoreOrRefuse(name: string, before: number, count: number, now: number, { loc, msg }: RefusalWords): void {
    const needed = Math.min(before + count, this.#capacity - 1) - before
    if (this.waitMs(name, now, needed) > 0) throw rateLimited(loc, msg, this.waitMs(name, now, before + count + 1))
    this.take(name, now, count)
  }

  /** Returns a token. */
  giveBack(name: string, now: number): void {
    const fullAt = (this.#fullAt.get(name) ?? 0) - this.#intervalMs
    if (fullAt > now) this.#fullAt.set(name, fullAt)
    else this.#fullAt.delete(name)
  }
}

/** One bucket: the buckets that it is among, and its name. */
export type NamedBucket = readonly [buckets: TokenBuckets, name: string]

/**
 * Takes a token from each bucket.
 * @throws Fault rate_limited with the longest wait when a bucket is empty; then no token is taken
 */
export function takeEachOrRefuse(named: readonly NamedBucket[], now: number, { loc, msg }: RefusalWords): void {
  const waitMs = Math.max(...named.map(([buckets, name]) => buckets.waitMs(name, now)))
  if (waitMs > 0) throw rateLimited(loc, msg, waitMs)
  for (const [buckets, name] of named) buckets.take(name, now)
}
