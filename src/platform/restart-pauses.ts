const FIRST_MS = 1_000
const MAX_MS = 60_000
const SETTLED_AFTER_MS = 60_000

/**
 * Decides how long to wait before a thread or process that ended by itself is started again: not at all the first time,
 * then 1, 2, 4 and so on up to 60 seconds, until it lives for a minute or `noteUse` is called.
 */
export class RestartPauses {
  readonly #firstMs: number
  readonly #settledAfterMs: number
  #endsInARow = 0

  /**
   * @param firstMs pause before the second restart in a row, which doubles with every further one
   * @param settledAfterMs life that counts as healthy: an end after it is the first in a row again
   */
  constructor(firstMs = FIRST_MS, settledAfterMs = SETTLED_AFTER_MS) {
    this.#firstMs = firstMs
    this.#settledAfterMs = settledAfterMs
  }

  /** Notes useful work: the next end is the first in a row again. */
  noteUse(): void {
    this.#endsInARow = 0
  }

  /** Notes an end after a life of `livedMs` milliseconds. @returns the milliseconds to wait before the next start */
  afterEnd(livedMs: number): number {
    if (livedMs >= this.#settledAfterMs) this.#endsInARow = 0
    this.#endsInARow++
    return this.#endsInARow === 1 ? 0 : Math.min(MAX_MS, this.#firstMs * 2 ** (this.#endsInARow - 2))
  }
}
