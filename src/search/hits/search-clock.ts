import type { SearchAnswer } from '../engine.ts'

/**
 * Milliseconds for the query's vector, for catching up with the watermark, for the search, and for reading the hits.
 */
type SearchTiming = Readonly<Record<'embed' | 'refresh' | 'search' | 'read', number>>

/** Measures the parts of one search, which follow one another. */
export class SearchClock {
  readonly #startedMs = performance.now()
  #embeddedMs = 0
  #answeredMs = 0

  /** Notes that the query has its vector. */
  embedded(): void {
    this.#embeddedMs = performance.now()
  }

  /** Notes that the engine has answered. */
  answered(): void {
    this.#answeredMs = performance.now()
  }

  /** Returns the times. Call it after both other methods, when the hits have been read. */
  read({ timing }: Pick<SearchAnswer, 'timing'>): { timing: SearchTiming; durationMs: number } {
    const nowMs = performance.now()
    return {
      timing: { embed: this.#embeddedMs - this.#startedMs, ...timing, read: nowMs - this.#answeredMs },
      durationMs: nowMs - this.#startedMs,
    }
  }
}
