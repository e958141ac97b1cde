interface Range {
  start: number
  bytes: number
}

/** The free ranges of a memory or a file, in the order of their addresses; neighbours are joined. */
export class FreeRanges {
  readonly #ranges: Range[] = []

  /** Takes the beginning of the first range that has room. @returns its address; -1 when no range has room */
  take(bytes: number): number {
    const at = this.#ranges.findIndex((range) => range.bytes >= bytes)
    return at < 0 ? -1 : this.#takeOf(at, bytes)
  }

  /** Takes the beginning of the range that starts at `start`, which must have room. */
  takeAt(start: number, bytes: number): void {
    this.#takeOf(
      this.#ranges.findIndex((range) => range.start === start),
      bytes,
    )
  }

  /** Returns the bytes of the range that starts at `start`; 0 when no range does. */
  bytesAt(start: number): number {
    return this.#ranges.find((range) => range.start === start)?.bytes ?? 0
  }

  /** Tells whether a range has room for `bytes`. */
  has(bytes: number): boolean {
    return this.#ranges.some((range) => range.bytes >= bytes)
  }

  /** Returns the start of the range that reaches up to `end`; `end` when no range does. */
  startOfLast(end: number): number {
    const last = this.#ranges.at(-1)
    return last !== undefined && last.start + last.bytes === end ? last.start : end
  }

  /** Frees a range. */
  release(start: number, bytes: number): void {
    let at = this.#ranges.findIndex((range) => range.start > start)
    if (at < 0) at = this.#ranges.length
    const before = this.#ranges[at - 1]
    const after = this.#ranges[at]
    const joinsAfter = after !== undefined && start + bytes === after.start
    if (before !== undefined && before.start + before.bytes === start) {
      before.bytes += bytes
      if (joinsAfter) {
        before.bytes += after.bytes
        this.#ranges.splice(at, 1)
      }
    } else if (joinsAfter) {
      after.start = start
      after.bytes += bytes
    } else this.#ranges.splice(at, 0, { start, bytes })
  }

  #takeOf(at: number, bytes: number): number {
    const range = this.#ranges[at]
    const { start } = range
    range.start += bytes
    range.bytes -= bytes
    if (range.bytes === 0) this.#ranges.splice(at, 1)
    return start
  }
}
