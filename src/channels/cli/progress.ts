const BAR_WIDTH = 24
const REDRAW_MS = 100
/** How often progress is written when the output is not a terminal. */
const LOG_MS = 5_000

interface ProgressStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Shows the progress of a piece of work: a bar on a terminal, elsewhere a line every few seconds. */
export class Progress {
  readonly #label: string
  readonly #stream: ProgressStream
  readonly #now: () => number
  readonly #startedAt: number
  #drawnAt: number
  #isDrawn = false

  constructor(label: string, stream: ProgressStream, now: () => number = () => performance.now()) {
    this.#label = label
    this.#stream = stream
    this.#now = now
    this.#startedAt = now()
    this.#drawnAt = stream.isTTY ? -Infinity : this.#startedAt
  }

  /**
   * Shows the progress, unless that was done a moment ago.
   * @param items number of items that are done
   * @param fraction the part that is done, 0 to 1; null when the total is not known
   */
  update(items: number, fraction: number | null): void {
    const now = this.#now()
    if (now - this.#drawnAt < (this.#stream.isTTY ? REDRAW_MS : LOG_MS)) return
    this.#drawnAt = now
    this.#isDrawn = true
    const text = `${this.#label} ${describe(items, fraction, (now - this.#startedAt) / 1_000, this.#stream.isTTY === true)}`
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[2K${text}` : `${text}\n`)
  }

  /** Removes the bar, so that the next output begins on an empty line. */
  clear(): void {
    if (this.#isDrawn && this.#stream.isTTY) this.#stream.write('\r\x1b[2K')
    this.#isDrawn = false
  }

  /** Writes a text that stays, in place of the bar. */
  note(text: string): void {
    this.clear()
    this.#stream.write(text)
  }

  get seconds(): number {
    return (this.#now() - this.#startedAt) / 1_000
  }
}

function describe(items: number, fraction: number | null, seconds: number, withBar: boolean): string {
  const rate = seconds > 0 ? items / seconds : 0
  const parts = [String(items), `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} a second`]
  if (fraction !== null) {
    const filled = Math.round(Math.min(1, fraction) * BAR_WIDTH)
    if (withBar) parts.unshift(`[${'#'.repeat(filled)}${'-'.repeat(BAR_WIDTH - filled)}]`)
    parts.push(`${Math.floor(fraction * 100)} %`)
    if (fraction > 0 && seconds > 1) parts.push(`${duration((seconds / fraction) * (1 - fraction))} left`)
  }
  return parts.join(', ').replace('], ', '] ')
}

/** Writes seconds as `42 s`, `3 min 5 s` or `2 h 10 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}
