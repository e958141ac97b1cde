import { type FaultDetail, rateLimited } from '../faults.ts'

const NAMES_MAX = 50_000
/** The sum of many intervals may exceed what they make up by rounding alone. */
const ROUNDING_MS = 0.001

type RefusalWords = Pick<FaultDetail, 'loc' | 'msg'>

/**
 * Token buckets, one for each name: `capacity` at once, then one each `intervalMs`. Of each bucket only the time is
 * kept at which it is full again (the generic cell rate algorithm of ITU-T I.371). When there are too many names the
 * one seen longest ago is forgotten, which can only forgive.
 */
export class TokenBuckets {
  readonly #capacity: number
  readonly #intervalMs: number
  readonly #fullAt = new Map<string, number>()

  constructor(capacity: number, intervalMs: number) {
    this.#capacity = capacity
    this.#intervalMs = intervalMs
  }

  /** How long until there is a token, without taking one; 0 when there is. */
  waitMs(name: string, now: number): number {
    const missingMs = Math.max((this.#fullAt.get(name) ?? 0) - now, 0)
    const waitMs = missingMs - (this.#capacity - 1) * this.#intervalMs
    return waitMs > ROUNDING_MS ? waitMs : 0
  }

  /** Takes a token, also one that is not there yet; ask `waitMs` before. */
  take(name: string, now: number): void {
    const fullAt = Math.max(this.#fullAt.get(name) ?? 0, now) + this.#intervalMs
    this.#fullAt.delete(name)
    this.#fullAt.set(name, fullAt)
    if (this.#fullAt.size > NAMES_MAX) this.#fullAt.delete(this.#fullAt.keys().next().value!)
  }

  /**
   * Takes a token that is there.
   * @throws Fault rate_limited in these words, with the seconds to wait; what is refused takes nothing
   */
  takeOrRefuse(name: string, now: number, words: RefusalWords): void {
    takeEachOrRefuse([[this, name]], now, words)
  }

  /** Gives a token back that was taken. */
  giveBack(name: string, now: number): void {
    const fullAt = (this.#fullAt.get(name) ?? 0) - this.#intervalMs
    if (fullAt > now) this.#fullAt.set(name, fullAt)
    else this.#fullAt.delete(name)
  }
}

/** What something counts against: a name in some buckets. */
export type Counted = readonly [buckets: TokenBuckets, name: string]

/**
 * Takes a token of each.
 * @throws Fault rate_limited in these words, with the longest wait, when one has none; what is refused takes nothing
 */
export function takeEachOrRefuse(counted: readonly Counted[], now: number, { loc, msg }: RefusalWords): void {
  const waitMs = Math.max(...counted.map(([buckets, name]) => buckets.waitMs(name, now)))
  if (waitMs > 0) throw rateLimited(loc, msg, waitMs)
  for (const [buckets, name] of counted) buckets.take(name, now)
}
