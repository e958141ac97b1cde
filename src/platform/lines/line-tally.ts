/** Blank or failed lines that are allowed before their share counts. */
export const USELESS_LINES_MAX = 10_000

/**
 * Counts the lines of a stream, and says when to read no more: when the service stops, or when reading on is useless,
 * because more than `USELESS_LINES_MAX` lines, and more than half of all, were blank or failed. A catalogue with every
 * third line bad is read to its end. A stream of bad lines only is not, because answering such a line costs far more
 * than sending it.
 */
export class LineTally {
  /** What the count calls a line, in the singular. */
  readonly unit: string
  /** The last line read, counted from 1. */
  line = 0
  blank = 0
  /** Increased by the consumer that reports failed lines; the reader of the stream does not know them. */
  failed = 0
  readonly #ending: AbortSignal | null

  /** @param ending aborts when no more lines are to be read, whatever they are */
  constructor(unit = 'line', ending: AbortSignal | null = null) {
    this.unit = unit
    this.#ending = ending
  }

  /** Whether to read no more. */
  get isOver(): boolean {
    return this.#isEnding || this.isHopeless
  }

  get #isEnding(): boolean {
    return this.#ending?.aborted === true
  }

  /** Whether most lines were blank or failed. */
  get isHopeless(): boolean {
    const useless = this.blank + this.failed
    return useless > USELESS_LINES_MAX && 2 * useless > this.line
  }

  /** Why the stream was not read to its end, for people. */
  get reason(): string {
    if (this.#isEnding)
      return `The service is stopping. Nothing after ${this.unit} ${this.line} was read: send the rest again`
    return (
      `More than ${USELESS_LINES_MAX} ${this.unit}s, and more than half of all, are blank or failed. ` +
      `Nothing after ${this.unit} ${this.line} was read`
    )
  }
}
