const FIRST_MS = 1_000
const MAX_MS = 60_000
const SETTLED_AFTER_MS = 60_000

/**
 * How long to wait before something that ended by itself is started again: not at all the first time, then 1, 2, 4 and
 * so on up to 60 seconds, until it lives for a minute or `noteUse` is called.
 */
export class RestartPauses {
  readonly #firstMs: number
  readonly #settledAfterMs: number
  #endsInARow = 0

  /**
   * @param firstMs pause before the second restart in a row, which doubles with every further one
   * @param settledAfterMs what lived so long counts as healthy: its end is the first in a row again
   */
  constructor(firstMs = FIRST_MS, settledAfterMs = SETTLED_AFTER_MS) {
    this.#firstMs = firstMs
    this.#settledAfterMs = settledAfterMs
  }

  /** Notes useful work: the next end is the first in a row again. */
  noteUse(): void {
    this.#endsInARow = 0
  }

  /** @returns the milliseconds to wait after the end of what has lived for `livedMs` */
  afterEnd(livedMs: number): number {
    if (livedMs >= this.#settledAfterMs) this.#endsInARow = 0
    this.#endsInARow++
    return this.#endsInARow === 1 ? 0 : Math.min(MAX_MS, this.#firstMs * 2 ** (this.#endsInARow - 2))
  }
}
