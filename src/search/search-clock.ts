import type { SearchAnswer } from './engine.ts'

/** Milliseconds spent on the query's vector, on catching up, on searching and on reading what is shown. */
type SearchTiming = Readonly<Record<'embed' | 'refresh' | 'search' | 'read', number>>

/** Takes the times of one search, whose parts follow each other. */
export class SearchClock {
  readonly #startedMs = performance.now()
  #embeddedMs = 0
  #answeredMs = 0

  /** The query has its vector. */
  embedded(): void {
    this.#embeddedMs = performance.now()
  }

  /** The engine has answered. */
  answered(): void {
    this.#answeredMs = performance.now()
  }

  /** What is shown has been read; call it once both others were called. */
  read({ timing }: Pick<SearchAnswer, 'timing'>): { timing: SearchTiming; durationMs: number } {
    const nowMs = performance.now()
    return {
      timing: { embed: this.#embeddedMs - this.#startedMs, ...timing, read: nowMs - this.#answeredMs },
      durationMs: nowMs - this.#startedMs,
    }
  }
}
