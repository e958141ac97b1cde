/**
 * Writes and reads a snapshot as frames of a fixed size, each with its number, length and checksum. Frames are read and
 * checked one by one, so a damaged byte is noticed before anything behind it is used, and no step takes long.
 *
 * A frame has a head of 16 bytes and then its content. The head is the frame's number (with the highest bit set in the
 * last frame), the length of the content, the CRC-32 of the content, and the CRC-32 of these twelve bytes. All frames
 * but the last are full.
 */
import { crc32 } from 'node:zlib'

const FRAME_BYTES = 2 ** 20
const HEAD_BYTES = 16
/** Bit that the number of the last frame has. */
const LAST = 0x80_00_00_00
/** Bit that a string's length has if its characters take two bytes. */
const WIDE = 0x80_00_00_00
const NOT_LATIN1 = /[\u{100}-\u{10ffff}]/u

/** Runs between steps of about a millisecond. It may throw to end the work. */
export type Step = () => Promise<void> | undefined

export type NumberArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array
type ArrayOf<T extends NumberArray> = new (buffer: ArrayBuffer) => T

/** Bytes of a snapshot are missing, changed or too many. */
export class SnapshotDamaged extends Error {
  override readonly name = 'SnapshotDamaged'
}

/** Writes values in order; `end` comes last. */
export class SnapshotWriter {
  readonly #write: (bytes: Uint8Array) => Promise<void>
  readonly #step: Step
  readonly #frame = Buffer.allocUnsafeSlow(HEAD_BYTES + FRAME_BYTES)
  #used = 0
  #number = 0

  /** @param write appends bytes to the file; the memory of the bytes is used again once the call resolves */
  constructor(write: (bytes: Uint8Array) => Promise<void>, step: Step = () => undefined) {
    this.#write = write
    this.#step = step
  }

  async json(value: unknown): Promise<void> {
    await this.array(Buffer.from(JSON.stringify(value)))
  }

  async array(array: NumberArray): Promise<void> {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    await this.#length(bytes.length)
    await this.bytes(bytes.length, (from, to) => bytes.subarray(from, to))
  }

  /** Writes a plain array of numbers. */
  async numbers(numbers: readonly number[]): Promise<void> {
    await this.array(Float64Array.from(numbers))
  }

  /** Writes texts, which may have halves of surrogate pairs. */
  async strings(texts: readonly string[]): Promise<void> {
    await this.#length(texts.length)
    for (const text of texts) {
      const isWide = NOT_LATIN1.test(text)
      await this.#length(isWide ? (text.length | WIDE) >>> 0 : text.length)
      const bytes = Buffer.from(text, isWide ? 'utf16le' : 'latin1')
      if (bytes.length <= FRAME_BYTES - this.#used) this.#copy(bytes)
      else await this.bytes(bytes.length, (from, to) => bytes.subarray(from, to))
    }
  }

  /**
   * Writes bytes without their length.
   * @param view returns a part of the bytes; called again after each step, since memory may have moved
   */
  async bytes(length: number, view: (from: number, to: number) => Uint8Array): Promise<void> {
    for (let from = 0; from < length;) {
      const to = Math.min(length, from + FRAME_BYTES - this.#used)
      this.#copy(view(from, to))
      from = to
      if (this.#used === FRAME_BYTES) await this.#flush(false)
    }
  }

  /** Writes the last frame. */
  async end(): Promise<void> {
    await this.#flush(true)
  }

  async #length(length: number): Promise<void> {
    if (FRAME_BYTES - this.#used < 4) {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(length)
      await this.bytes(4, (from, to) => bytes.subarray(from, to))
      return
    }
    this.#frame.writeUInt32LE(length, HEAD_BYTES + this.#used)
    this.#used += 4
    if (this.#used === FRAME_BYTES) await this.#flush(false)
  }

  #copy(bytes: Uint8Array): void {
    this.#frame.set(bytes, HEAD_BYTES + this.#used)
    this.#used += bytes.length
  }

  async #flush(isLast: boolean): Promise<void> {
    const frame = this.#frame.subarray(0, HEAD_BYTES + this.#used)
    frame.writeUInt32LE(isLast ? (this.#number | LAST) >>> 0 : this.#number, 0)
    frame.writeUInt32LE(this.#used, 4)
    frame.writeUInt32LE(crc32(frame.subarray(HEAD_BYTES)), 8)
    frame.writeUInt32LE(crc32(frame.subarray(0, 12)), 12)
    await this.#write(frame)
    this.#number++
    this.#used = 0
    await this.#step()
  }
}

/** Reads the values that a `SnapshotWriter` wrote, in the same order. Every method throws SnapshotDamaged. */
export class SnapshotReader {
  readonly #read: (into: Uint8Array, position: number) => Promise<number>
  readonly #fileBytes: number
  readonly #step: Step
  #frame: Buffer = Buffer.alloc(0)
  #at = 0
  #number = 0
  #isLast = false
  /** The next frame, which is read while the current one is used; null behind the last frame. */
  #next: Promise<Buffer | null> | null = null

  /**
   * @param read fills `into` from a position of the file; resolves to the number of bytes that it read
   * @param fileBytes length of the file
   */
  constructor(
    read: (into: Uint8Array, position: number) => Promise<number>,
    fileBytes: number,
    step: Step = () => undefined,
  ) {
    this.#read = read
    this.#fileBytes = fileBytes
    this.#step = step
  }

  async json(): Promise<unknown> {
    const bytes = await this.array(Uint8Array)
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString())
  }

  async array<T extends NumberArray>(type: ArrayOf<T>): Promise<T> {
    const length = await this.#length()
    if (length > this.#fileBytes) throw new SnapshotDamaged('a list is longer than the file')
    const bytes = new Uint8Array(length)
    await this.bytes(length, (from, to) => bytes.subarray(from, to))
    return new type(bytes.buffer)
  }

  /** Reads a plain array of numbers. */
  async numbers(): Promise<number[]> {
    const numbers = await this.array(Float64Array)
    const areSmall = numbers.every((number) => number === (number | 0) && !Object.is(number, -0))
    const plain: number[] = []
    // V8 reads arrays of small integers faster, and an index that was built has such arrays too.
    if (areSmall) for (let i = 0; i < numbers.length; i++) plain.push(numbers[i] | 0)
    else for (let i = 0; i < numbers.length; i++) plain.push(numbers[i])
    return plain
  }

  async strings(): Promise<string[]> {
    const count = await this.#length()
    if (count > this.#fileBytes) throw new SnapshotDamaged('a list is longer than the file')
    const texts: string[] = []
    for (let i = 0; i < count; i++) {
      // Awaiting each of a hundred thousand short texts would take longer than reading them.
      const length = this.#frame.length - this.#at >= 4 ? this.#lengthHere() : await this.#length()
      const isWide = length >= WIDE
      const bytes = isWide ? (length - WIDE) * 2 : length
      if (this.#frame.length - this.#at >= bytes) texts.push(this.#textHere(bytes, isWide))
      else texts.push(await this.#longText(bytes, isWide))
    }
    return texts
  }

  /** Reads bytes of a given length. @param view returns the memory for a part; called again after each step */
  async bytes(length: number, view: (from: number, to: number) => Uint8Array): Promise<void> {
    for (let from = 0; from < length;) {
      if (this.#at === this.#frame.length) await this.#advance()
      const to = Math.min(length, from + this.#frame.length - this.#at)
      view(from, to).set(this.#frame.subarray(this.#at, this.#at + to - from))
      this.#at += to - from
      from = to
    }
  }

  /** Checks that no bytes follow. */
  async end(): Promise<void> {
    if (this.#at === this.#frame.length && !this.#isLast) await this.#advance()
    if (this.#at < this.#frame.length || !this.#isLast) throw new SnapshotDamaged('there are bytes behind the end')
  }

  async #length(): Promise<number> {
    const bytes = Buffer.alloc(4)
    await this.bytes(4, (from, to) => bytes.subarray(from, to))
    return bytes.readUInt32LE()
  }

  /** Reads a length that lies in the current frame as a whole. */
  #lengthHere(): number {
    this.#at += 4
    return this.#frame.readUInt32LE(this.#at - 4)
  }

  /** Reads a text that lies in the current frame as a whole. */
  #textHere(bytes: number, isWide: boolean): string {
    this.#at += bytes
    return this.#frame.toString(isWide ? 'utf16le' : 'latin1', this.#at - bytes, this.#at)
  }

  async #longText(length: number, isWide: boolean): Promise<string> {
    if (length > this.#fileBytes) throw new SnapshotDamaged('a text is longer than the file')
    const bytes = Buffer.alloc(length)
    await this.bytes(length, (from, to) => bytes.subarray(from, to))
    return bytes.toString(isWide ? 'utf16le' : 'latin1')
  }

  async #advance(): Promise<void> {
    if (this.#isLast) throw new SnapshotDamaged('the snapshot ends too early')
    await this.#step()
    const frame = await (this.#next ?? this.#fetch(this.#number))
    if (frame === null) throw new SnapshotDamaged('the file ends too early')
    this.#check(frame)
    this.#frame = frame.subarray(HEAD_BYTES)
    this.#at = 0
    this.#number++
    this.#next = this.#isLast ? null : this.#fetch(this.#number)
  }

  /**
   * Reads a frame; null where the file is too short or cannot be read, which counts as damaged too. Never rejects,
   * since nothing waits for a frame that is read ahead when the reader is given up.
   */
  async #fetch(number: number): Promise<Buffer | null> {
    const position = number * (HEAD_BYTES + FRAME_BYTES)
    const length = Math.min(HEAD_BYTES + FRAME_BYTES, this.#fileBytes - position)
    if (length < HEAD_BYTES) return null
    const frame = Buffer.allocUnsafeSlow(length)
    const bytesRead = await this.#read(frame, position).catch(() => 0)
    return bytesRead === length ? frame : null
  }

  /** Checks the current frame. @throws SnapshotDamaged */
  #check(frame: Buffer): void {
    const isLast = frame.readUInt32LE(0) >= LAST
    const number = isLast ? this.#number + LAST : this.#number
    const bytes = frame.length - HEAD_BYTES
    const end = this.#number * (HEAD_BYTES + FRAME_BYTES) + frame.length
    const isWhole =
      crc32(frame.subarray(0, 12)) === frame.readUInt32LE(12) &&
      frame.readUInt32LE(0) === number &&
      frame.readUInt32LE(4) === bytes &&
      (isLast ? end === this.#fileBytes : bytes === FRAME_BYTES) &&
      crc32(frame.subarray(HEAD_BYTES)) === frame.readUInt32LE(8)
    if (!isWhole) throw new SnapshotDamaged(`frame ${this.#number} is damaged`)
    this.#isLast = isLast
  }
}
