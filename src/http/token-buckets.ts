const NAMES_MAX = 50_000

/**
 * Token buckets, one for each name: `capacity` at once, then one each `intervalMs`. Of each bucket only the time is
 * kept at which it is full again. When there are too many names the one seen longest ago is forgotten, which can
 * only forgive.
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
    return Math.max(missingMs - (this.#capacity - 1) * this.#intervalMs, 0)
  }

  /** Takes a token, also one that is not there yet; ask `waitMs` before. */
  take(name: string, now: number): void {
    const fullAt = Math.max(this.#fullAt.get(name) ?? 0, now) + this.#intervalMs
    this.#fullAt.delete(name)
    this.#fullAt.set(name, fullAt)
    if (this.#fullAt.size > NAMES_MAX) this.#fullAt.delete(this.#fullAt.keys().next().value!)
  }

  /** Gives a token back that was taken. */
  giveBack(name: string, now: number): void {
    const fullAt = (this.#fullAt.get(name) ?? 0) - this.#intervalMs
    if (fullAt > now) this.#fullAt.set(name, fullAt)
    else this.#fullAt.delete(name)
  }
}
