/**
 * Long work in slices: index building and compaction run a few milliseconds at a time, and between
 * any two slices, whoever's, the event loop takes in and answers searches.
 */
const SLICE_MS = 4

export class Slices {
  #waiting: (() => void)[] = []
  #scheduled = false
  #started = 0

  /** Null-cost while the slice lasts; then a promise for the next slice, of which there is one per turn of the event loop. */
  readonly pause = (): Promise<void> | undefined => {
    if (performance.now() - this.#started < SLICE_MS) return undefined
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#started = performance.now()
      this.#waiting.shift()?.()
      if (this.#waiting.length > 0) this.#schedule()
    })
  }
}
