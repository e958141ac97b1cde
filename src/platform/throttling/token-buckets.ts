import { type FaultDetail, rateLimited } from '../faults.ts'

const NAMES_MAX = 50_000
/** Tolerance for rounding when many intervals are added up. */
const ROUNDING_MS = 0.001

type RefusalWords = Pick<FaultDetail, 'loc' | 'msg'>

/**
 * Token buckets by name: `capacity` tokens at once, then one every `intervalMs`. A bucket stores only the time at which
 * it is full again (the generic cell rate algorithm of ITU-T I.371). With too many names, the name seen longest ago is
 * forgotten, which can only allow more.
 */
export class TokenBuckets {
  readonly #capacity: number
  readonly #intervalMs: number
  readonly #fullAt = new Map<string, number>()

  constructor(capacity: number, intervalMs: number) {
    this.#capacity = capacity
    this.#intervalMs = intervalMs
  }

  /** Milliseconds until there are `count` tokens, at most a full bucket, without taking any; 0 when there are. */
  waitMs(name: string, now: number, count = 1): number {
    const missingMs = Math.max((this.#fullAt.get(name) ?? 0) - now, 0)
    const waitMs = missingMs - Math.max(this.#capacity - count, 0) * this.#intervalMs
    return waitMs > ROUNDING_MS ? waitMs : 0
  }

  /** Takes tokens, even those that are not there yet. Ask `waitMs` first. */
  take(name: string, now: number, count = 1): void {
    const fullAt = Math.max(this.#fullAt.get(name) ?? 0, now) + count * this.#intervalMs
    this.#fullAt.delete(name)
    this.#fullAt.set(name, fullAt)
    if (this.#fullAt.size > NAMES_MAX) this.#fullAt.delete(this.#fullAt.keys().next().value!)
  }

  /**
   * Takes a token if there is one.
   * @throws Fault rate_limited with these words and the seconds to wait, without taking a token
   */
  takeOrRefuse(name: string, now: number, words: RefusalWords): void {
    takeEachOrRefuse([[this, name]], now, words)
  }

  /**
   * Takes `count` tokens more for something that has taken one and `before` others. What a full bucket could not give is
   * taken from the time after, so that even what costs most is done once.
   * @throws Fault rate_limited with these words and the seconds to wait before all of it, without taking any
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

/** A name in some buckets. */
export type Counted = readonly [buckets: TokenBuckets, name: string]

/**
 * Takes a token from each bucket.
 * @throws Fault rate_limited with these words and the longest wait when a bucket is empty, without taking any token
 */
export function takeEachOrRefuse(counted: readonly Counted[], now: number, { loc, msg }: RefusalWords): void {
  const waitMs = Math.max(...counted.map(([buckets, name]) => buckets.waitMs(name, now)))
  if (waitMs > 0) throw rateLimited(loc, msg, waitMs)
  for (const [buckets, name] of counted) buckets.take(name, now)
}
