/** Lines that may be blank or fail before it counts how many were good. */
export const USELESS_LINES_MAX = 10_000

/**
 * Counts the lines of a stream, and tells when it is of no use to read on: when more than `USELESS_LINES_MAX` lines,
 * and more than half of all, were blank or failed. A catalogue in which every third line is bad is read to its end; a
 * stream of nothing else is not, because each such line costs far more to answer than to send.
 */
export class LineTally {
  /** What is counted, in the singular. */
  readonly unit: string
  /** The last line read, counted from 1. */
  line = 0
  blank = 0
  /** Counted by whoever reports a failed line: the reader of the stream does not know. */
  failed = 0

  constructor(unit = 'line') {
    this.unit = unit
  }

  get isHopeless(): boolean {
    const useless = this.blank + this.failed
    return useless > USELESS_LINES_MAX && 2 * useless > this.line
  }

  /** Why the stream was not read on, in plain words. */
  get reason(): string {
    return (
      `More than ${USELESS_LINES_MAX} ${this.unit}s, and more than half of all, are blank or failed. ` +
      `Nothing after ${this.unit} ${this.line} was read`
    )
  }
}
