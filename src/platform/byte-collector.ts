/** Bytes of the first buffer that pieces are copied into, unless the pieces are longer. */
const COPY_BYTES_MIN = 4_096

/**
 * Joins bytes that arrive in pieces. A plain list of pieces would let a sender who sends single bytes cost hundreds of
 * bytes of memory per byte: half a gigabyte for a body of 2 MiB.
 */
export class ByteCollector {
  /** The only piece so far, or the buffer that pieces are copied into. */
  #buffer: Buffer | null = null
  /** Whether the buffer is the collector's own, and not a piece, which must not be written to. */
  #isOwn = false
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return
    if (this.#buffer === null) this.#buffer = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    else {
      this.#reserve(this.#length + piece.length)
      this.#buffer.set(piece, this.#length)
    }
    this.#length += piece.length
  }

  /** Returns the collected bytes and starts over. A single piece is returned without a copy. */
  take(): Buffer {
    const bytes = this.#buffer === null ? Buffer.alloc(0) : this.#buffer.subarray(0, this.#length)
    this.clear()
    return bytes
  }

  clear(): void {
    this.#buffer = null
    this.#isOwn = false
    this.#length = 0
  }

  /** Doubles the capacity, so that on average each byte is copied at most twice. */
  #reserve(length: number): void {
    const buffer = this.#buffer!
    if (this.#isOwn && length <= buffer.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(COPY_BYTES_MIN, length, 2 * this.#length))
    larger.set(buffer.subarray(0, this.#length))
    this.#buffer = larger
    this.#isOwn = true
  }
}
