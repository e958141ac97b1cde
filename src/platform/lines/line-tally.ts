/** Blank or failed lines that are allowed before their share counts. */
export const USELESS_LINES_MAX = 10_000

/**
 * Counts the lines of a stream, and decides when reading ends early: when the service stops, or when reading on is
 * useless, because more than `USELESS_LINES_MAX` lines, and more than half of all, were blank or failed. A catalogue
 * with every third line bad is read to its end. A stream of bad lines only is not, because answering such a line costs
 * far more than sending it.
 */
export class LineTally {
  /** Word for a line in the reason, in the singular. */
  readonly unit: string
  /** The last line read, counted from 1. */
  line = 0
  blank = 0
  /** Failed lines. The consumer that reports them counts them here; the reader of the stream does not know them. */
  failed = 0
  readonly #stopSignal: AbortSignal | null

  /** @param stopSignal aborts when the service stops, so that no more lines are read */
  constructor(unit = 'line', stopSignal: AbortSignal | null = null) {
    this.unit = unit
    this.#stopSignal = stopSignal
  }

  /** Whether reading has to end. */
  get isOver(): boolean {
    return this.#isEnding || this.isHopeless
  }

  get #isEnding(): boolean {
    return this.#stopSignal?.aborted === true
  }

  /** Whether most lines were blank or failed. */
  get isHopeless(): boolean {
    const useless = this.blank + this.failed
    return useless > USELESS_LINES_MAX && 2 * useless > this.line
  }

  /** Reason why the stream was not read to its end, for people. */
  get reason(): string {
    if (this.#isEnding)
      return `The service is stopping. Nothing after ${this.unit} ${this.line} was read: send the rest again`
    return (
      `More than ${USELESS_LINES_MAX} ${this.unit}s, and more than half of all, are blank or failed. ` +
      `Nothing after ${this.unit} ${this.line} was read`
    )
  }
}
