/** Milliseconds within which changes count as having arrived together, with the first of them. */
const TOGETHER_MS = 1_000

/**
 * Tells since when the oldest change waits that a replica has not applied. A replica that goes on reading beside steady
 * writes is never quite up to date, so the time when it last was would say nothing.
 */
export class Lag {
  /** Numbers of changes that wait, ascending, each with the time when it arrived. */
  readonly #arrivals: { watermark: number; readonly at: number }[] = []

  /** When the oldest change that waits arrived; null where none waits. */
  get since(): number | null {
    return this.#arrivals[0]?.at ?? null
  }

  /** Notes that the replica has to apply every change with a number up to `watermark`. */
  noteArrived(watermark: number, now: number): void {
    const last = this.#arrivals.at(-1)
    if (last !== undefined && watermark <= last.watermark) return
    if (last !== undefined && now - last.at < TOGETHER_MS) last.watermark = watermark
    else this.#arrivals.push({ watermark, at: now })
  }

  /** Notes that the replica has applied every change with a number up to `reached`. */
  noteReached(reached: number): void {
    while (this.#arrivals.length > 0 && this.#arrivals[0].watermark <= reached) this.#arrivals.shift()
  }
}
