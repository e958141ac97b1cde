import { FreeRanges } from './free-ranges.ts'

const PAGE_BYTES = 65_536
const PAGES_MAX = 65_536
const ARENA_BYTES_MAX = PAGE_BYTES * PAGES_MAX
const GROW_PAGES_MIN = 16
const ALIGN_BYTES = 64

/** No free range of the arena is large enough, and its memory cannot grow. */
export class ArenaFull extends Error {
  override readonly name = 'ArenaFull'
}

/**
 * One WebAssembly memory for all indexes of a worker, with an allocator for large blocks: first fit over free ranges in
 * address order; freed neighbours are joined. V8 reserves gigabytes of address space for each memory, so one memory per
 * tenant is impossible.
 */
export class Arena {
  readonly memory: WebAssembly.Memory
  /** Bytes in allocated blocks. */
  used = 0
  readonly #free = new FreeRanges()
  #blocks = new Map<number, number>()
  readonly #pagesMax: number
  #u8!: Uint8Array<ArrayBuffer>
  #i32!: Int32Array<ArrayBuffer>
  #u32!: Uint32Array<ArrayBuffer>
  #f32!: Float32Array<ArrayBuffer>
  #f64!: Float64Array<ArrayBuffer>

  /** @param bytesMax most bytes of the memory, in whole pages of 64 KiB; a WebAssembly memory has at most 4 GiB */
  constructor(bytesMax = ARENA_BYTES_MAX) {
    this.memory = new WebAssembly.Memory({ initial: 1, maximum: PAGES_MAX })
    this.#pagesMax = Math.min(PAGES_MAX, Math.floor(bytesMax / PAGE_BYTES))
    this.#view()
    // Address 0 stays unused, so that it can mean "no block".
    this.#free.release(ALIGN_BYTES, PAGE_BYTES - ALIGN_BYTES)
  }

  /** Views of the whole memory. Each allocation may replace the views, so fetch them again afterwards. */
  get u8(): Uint8Array<ArrayBuffer> {
    return this.#u8
  }
  get i32(): Int32Array<ArrayBuffer> {
    return this.#i32
  }
  get u32(): Uint32Array<ArrayBuffer> {
    return this.#u32
  }
  get f32(): Float32Array<ArrayBuffer> {
    return this.#f32
  }
  get f64(): Float64Array<ArrayBuffer> {
    return this.#f64
  }

  /**
   * Allocates a block of at least `bytes`, aligned to 64 bytes, with undefined content.
   * @returns the block's address
   * @throws ArenaFull
   */
  allocate(bytes: number): number {
    const size = sizeFor(bytes)
    let start = this.#free.take(size)
    if (start < 0) {
      this.#grow(size)
      start = this.#free.take(size)
    }
    this.#blocks.set(start, size)
    this.used += size
    return start
  }

  /**
   * Makes a block larger or smaller where it lies. Its content stays, up to the smaller of both sizes.
   * @returns false, with nothing changed, when the block cannot grow there, or when the memory would have to grow
   *   although the whole block fits into a free range elsewhere
   * @throws RangeError when no block starts at `start`
   */
  resize(start: number, bytes: number): boolean {
    const former = this.#blocks.get(start)
    if (former === undefined) throw new RangeError(`no block at ${start}`)
    const size = sizeFor(bytes)
    if (size > former && !this.#takeBehind(start + former, size - former, size)) return false
    if (size < former) this.#free.release(start + size, former - size)
    this.#blocks.set(start, size)
    this.used += size - former
    return true
  }

  /** @throws RangeError when no block starts at `start` */
  free(start: number): void {
    const bytes = this.#blocks.get(start)
    if (bytes === undefined) throw new RangeError(`no block at ${start}`)
    this.#blocks.delete(start)
    this.used -= bytes
    this.#free.release(start, bytes)
  }

  /**
   * Takes `more` bytes behind a block that ends at `end`.
   * @param size bytes of the block with them
   * @returns whether they were free, or the memory could grow
   */
  #takeBehind(end: number, more: number, size: number): boolean {
    const behind = this.#free.bytesAt(end)
    if (behind < more) {
      const isLast = end + behind === this.memory.buffer.byteLength
      if (!isLast || this.#free.has(size)) return false
      try {
        this.#grow(more)
      } catch (error) {
        if (!(error instanceof ArenaFull)) throw error
        return false
      }
    }
    this.#free.takeAt(end, more)
    return true
  }

  /** Grows the memory until its last free range has `size` bytes. @throws ArenaFull */
  #grow(size: number): void {
    const end = this.memory.buffer.byteLength
    const open = end - this.#free.startOfLast(end)
    const least = Math.ceil((size - open) / PAGE_BYTES)
    const left = this.#pagesMax - end / PAGE_BYTES
    if (least > left) throw new ArenaFull(`search memory cannot grow by ${size} bytes`)
    const pages = Math.max(least, Math.min(GROW_PAGES_MIN, left))
    try {
      this.memory.grow(pages)
    } catch (cause) {
      throw new ArenaFull(`search memory cannot grow by ${size} bytes`, { cause })
    }
    this.#view()
    this.#free.release(end, pages * PAGE_BYTES)
  }

  #view(): void {
    const { buffer } = this.memory
    this.#u8 = new Uint8Array(buffer)
    this.#i32 = new Int32Array(buffer)
    this.#u32 = new Uint32Array(buffer)
    this.#f32 = new Float32Array(buffer)
    this.#f64 = new Float64Array(buffer)
  }
}

/** Returns the bytes of a block, in whole multiples of the alignment. */
function sizeFor(bytes: number): number {
  return Math.max(ALIGN_BYTES, Math.ceil(bytes / ALIGN_BYTES) * ALIGN_BYTES)
}
