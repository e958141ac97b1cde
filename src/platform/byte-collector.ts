/** A piece of its own is worth it from here on; smaller ones are copied together. */
const FIRST_BYTES = 4_096

/**
 * Bytes that come in pieces, kept as one. A list of the pieces would do for honest senders; but one that sends each
 * byte as a chunk of its own makes an object of a few hundred bytes of each, and of 2 MiB half a gigabyte.
 */
export class ByteCollector {
  /** The only piece so far, or what the pieces were copied into. */
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

  /** What was collected; the next piece begins anew. A single piece is answered as it came, without a copy. */
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

  /** Doubles the room, so that each byte is copied twice at most on the average. */
  #reserve(length: number): void {
    const held = this.#held!
    if (this.#isOwn && length <= held.length) return
    const room = Buffer.allocUnsafeSlow(Math.max(FIRST_BYTES, length, 2 * this.#length))
    room.set(held.subarray(0, this.#length))
    this.#held = room
    this.#isOwn = true
  }
}
