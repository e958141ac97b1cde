/**
 * The bytes of a snapshot as frames of a fixed size, each with its number, length and checksum. Frames are read and
 * checked one by one, so a damaged byte is noticed before anything behind it is used, and no step takes long.
 *
 * A frame: number (the last one's has the highest bit set), bytes, CRC-32 of the bytes, CRC-32 of these twelve bytes;
 * then the bytes. All frames but the last are full.
 */
import { crc32 } from 'node:zlib'

const FRAME_BYTES = 2 ** 20
const HEAD_BYTES = 16
const LAST = 0x80_00_00_00
/** A string's length has this bit if its characters take two bytes. */
const WIDE = 0x80_00_00_00
const NOT_LATIN1 = /[\u{100}-\u{10ffff}]/u

/** Called between steps of about a millisecond. It may throw to end the work. */
export type Step = () => Promise<void> | undefined

export type NumberArray = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array
type ArrayOf<T extends NumberArray> = new (buffer: ArrayBuffer) => T

/** A snapshot is not what was written: bytes are missing, changed or too many. */
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

  /** @param write appends to the file; the bytes are used again once it resolves */
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

  /** Writes numbers that memory keeps as a plain array. */
  async numbers(numbers: readonly number[]): Promise<void> {
    await this.array(Float64Array.from(numbers))
  }

  /** Any text, also with halves of surrogate pairs. */
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
   * @param view the part to copy; asked for anew after each step, since memory may have moved
   */
  async bytes(length: number, view: (from: number, to: number) => Uint8Array): Promise<void> {
    for (let from = 0; from < length;) {
      const to = Math.min(length, from + FRAME_BYTES - this.#used)
      this.#copy(view(from, to))
      from = to
      if (this.#used === FRAME_BYTES) await this.#flush(false)
    }
  }

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

/** Reads what a `SnapshotWriter` wrote. Every method throws SnapshotDamaged when the bytes are not those. */
export class SnapshotReader {
  readonly #read: (into: Uint8Array, position: number) => Promise<number>
  readonly #fileBytes: number
  readonly #step: Step
  #frame: Buffer = Buffer.alloc(0)
  #at = 0
  #number = 0
  #isLast = false
  /** The next frame is read while this one is used. */
  #next: Promise<Buffer | null> | null = null

  /**
   * @param read fills `into` from a position of the file; resolves to how many bytes it got
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

  /** A plain array; of small integers where all are. */
  async numbers(): Promise<number[]> {
    const numbers = await this.array(Float64Array)
    const areSmall = numbers.every((number) => number === (number | 0) && !Object.is(number, -0))
    const plain: number[] = []
    // Arrays of small integers are read faster, and as those of an index that was not loaded.
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

  /** Reads bytes whose length is known. @param view where to, asked for anew after each step */
  async bytes(length: number, view: (from: number, to: number) => Uint8Array): Promise<void> {
    for (let from = 0; from < length;) {
      if (this.#at === this.#frame.length) await this.#advance()
      const to = Math.min(length, from + this.#frame.length - this.#at)
      view(from, to).set(this.#frame.subarray(this.#at, this.#at + to - from))
      this.#at += to - from
      from = to
    }
  }

  /** Checks that nothing is left. */
  async end(): Promise<void> {
    if (this.#at === this.#frame.length && !this.#isLast) await this.#advance()
    if (this.#at < this.#frame.length || !this.#isLast) throw new SnapshotDamaged('there are bytes behind the end')
  }

  async #length(): Promise<number> {
    const bytes = Buffer.alloc(4)
    await this.bytes(4, (from, to) => bytes.subarray(from, to))
    return bytes.readUInt32LE()
  }

  #lengthHere(): number {
    this.#at += 4
    return this.#frame.readUInt32LE(this.#at - 4)
  }

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

  /** Never rejects, since nobody may wait for it: a file that cannot be read is as good as damaged. */
  async #fetch(number: number): Promise<Buffer | null> {
    const position = number * (HEAD_BYTES + FRAME_BYTES)
    const length = Math.min(HEAD_BYTES + FRAME_BYTES, this.#fileBytes - position)
    if (length < HEAD_BYTES) return null
    const frame = Buffer.allocUnsafeSlow(length)
    const got = await this.#read(frame, position).catch(() => 0)
    return got === length ? frame : null
  }

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
