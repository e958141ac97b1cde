import type { SearchAnswer } from '../engine.ts'

/** Milliseconds spent on the query's vector, on catching up, on searching, and on reading the hits. */
type SearchTiming = Readonly<Record<'embed' | 'refresh' | 'search' | 'read', number>>

/** Measures the parts of one search, which follow each other. */
export class SearchClock {
  readonly #startedMs = performance.now()
  #embeddedMs = 0
  #answeredMs = 0

  /** Call when the query has its vector. */
  embedded(): void {
    this.#embeddedMs = performance.now()
  }

  /** Call when the engine has answered. */
  answered(): void {
    this.#answeredMs = performance.now()
  }

  /** Call when the hits have been read, after both other methods. */
  read({ timing }: Pick<SearchAnswer, 'timing'>): { timing: SearchTiming; durationMs: number } {
    const nowMs = performance.now()
    return {
      timing: { embed: this.#embeddedMs - this.#startedMs, ...timing, read: nowMs - this.#answeredMs },
      durationMs: nowMs - this.#startedMs,
    }
  }
}
