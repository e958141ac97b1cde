const BAR_WIDTH = 24
const REDRAW_MS = 100
/** How often progress is written where nobody watches, such as into a log. */
const LOG_MS = 5_000

interface ProgressStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** Shows how far a piece of work is: a bar that is redrawn on a terminal, a line now and then elsewhere. */
export class Progress {
  readonly #label: string
  readonly #stream: ProgressStream
  readonly #now: () => number
  readonly #startedAt: number
  #drawnAt: number
  #drawn = false

  constructor(label: string, stream: ProgressStream = process.stderr, now: () => number = () => performance.now()) {
    this.#label = label
    this.#stream = stream
    this.#now = now
    this.#startedAt = now()
    this.#drawnAt = stream.isTTY ? -Infinity : this.#startedAt
  }

  /**
   * @param items how many are done
   * @param fraction of the whole, 0 to 1; null when the whole is not known
   */
  update(items: number, fraction: number | null): void {
    const now = this.#now()
    if (now - this.#drawnAt < (this.#stream.isTTY ? REDRAW_MS : LOG_MS)) return
    this.#drawnAt = now
    this.#drawn = true
    const text = `${this.#label} ${describe(items, fraction, (now - this.#startedAt) / 1_000, this.#stream.isTTY === true)}`
    this.#stream.write(this.#stream.isTTY ? `\r\x1b[2K${text}` : `${text}\n`)
  }

  /** Takes the bar away, so that what is written next stands on a line of its own. */
  clear(): void {
    if (this.#drawn && this.#stream.isTTY) this.#stream.write('\r\x1b[2K')
    this.#drawn = false
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

/** Seconds in the largest units that say enough: `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`
}
