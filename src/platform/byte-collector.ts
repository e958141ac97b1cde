/** From this length a single piece is kept without a copy; shorter pieces are copied together. */
const FIRST_BYTES = 4_096

/**
 * Joins bytes that arrive in pieces. A plain list of pieces would let a sender who sends single bytes cost hundreds of
 * bytes of memory per byte: half a gigabyte for a body of 2 MiB.
 */
export class ByteCollector {
  /** The only piece so far, or the buffer that pieces are copied into. */
  #held: Buffer | null = null
  #isOwn = false
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: Uint8Array): void {
    if (piece.length === 0) return
    if (this.#held === null) this.#held = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    else {
      this.#reserve(this.#length + piece.length)
      this.#held.set(piece, this.#length)
    }
    this.#length += piece.length
  }

  /** Returns the collected bytes and starts over. A single piece is returned without a copy. */
  take(): Buffer {
    const bytes = this.#held === null ? Buffer.alloc(0) : this.#held.subarray(0, this.#length)
    this.clear()
    return bytes
  }

  clear(): void {
    this.#held = null
    this.#isOwn = false
    this.#length = 0
  }

  /** Doubles the capacity, so that on average each byte is copied at most twice. */
  #reserve(length: number): void {
    const held = this.#held!
    if (this.#isOwn && length <= held.length) return
    const room = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, length, 2 * this.#length))
    room.set(held.subarray(0, this.#length))
    this.#held = room
    this.#isOwn = true
  }
}
