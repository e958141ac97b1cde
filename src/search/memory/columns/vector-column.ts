import type { Pause } from '../../../platform/threads/slices.ts'
import type { Arena } from './arena.ts'
import { type IndexFile, type IndexFiles, writtenFile } from './index-files.ts'
import type { SnapshotReader, SnapshotWriter } from './checked-stream.ts'
import type { VectorKernel } from './vector-kernel.ts'

const ROWS_MIN = 16
/** Bytes of originals that are moved in one step, which takes about a millisecond. */
const PIECE_BYTES = 2 ** 20
/** Originals that are read from a file for one call of the kernel. */
const PORTION_ROWS = 256
/** Least bytes of originals that move to a file of their own. Fewer move only when a small index is laid out. */
const MOVED_BYTES_MIN = 2 ** 22
/** Index of the originals among the columns of a block. */
const ORIGINALS = 1
/** Growth of a full column. A larger factor would move the rows less often, and leave more room unused. */
const GROWTH = 1.25
/** Largest magnitude of a document's codes: 8 bits without -128. */
const CODE_LIMIT = 127
/** Largest magnitude of a query's codes, which have 7 bits. */
export const QUERY_LIMIT = 63
/** Offset that makes a query's codes unsigned. */
export const QUERY_OFFSET = 64
/** Bound of the float32 rounding of an estimate and of its error for rows of length 1; both are under 2 in magnitude. */
export const ROUNDING_SLACK = 2e-6

/** Memory that all searches of a worker share: the arena, its kernel, and scratch blocks to pass data to the kernel. */
export interface VectorMemory {
  readonly arena: Arena
  readonly kernel: VectorKernel
  /** Files for parts of indexes while memory is short; null for none. */
  readonly files: IndexFiles | null
  /** Returns a scratch block of at least `bytes` with undefined content. Calls with the same purpose share a block. */
  readonly scratch: (purpose: string, bytes: number) => number
}

/** Returns the shared memory of a worker. @param kernel runs on the arena's memory */
export function createVectorMemory(arena: Arena, kernel: VectorKernel, files: IndexFiles | null = null): VectorMemory {
  const blocks = new Map<string, { at: number; bytes: number }>()
  return {
    arena,
    kernel,
    files,
    scratch(purpose, bytes) {
      const block = blocks.get(purpose)
      if (block !== undefined && block.bytes >= bytes) return block.at
      if (block !== undefined) arena.free(block.at)
      blocks.delete(purpose)
      const size = Math.max(4_096, 2 ** Math.ceil(Math.log2(bytes)))
      const at = arena.allocate(size)
      blocks.set(purpose, { at, bytes: size })
      return at
    },
  }
}

/** Returns the bytes of a row's codes: one per component, padded to whole SIMD registers. */
export function codeBytes(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16
}

/**
 * Returns the bytes of a row by column: divisor, original, codes, scale of the codes, sum of the codes, error
 * of the codes.
 */
function sizesOf(dimensions: number): number[] {
  return [8, dimensions * 4, codeBytes(dimensions), 4, 4, 4]
}

function rowBytes(dimensions: number): number {
  return sizesOf(dimensions).reduce((sum, size) => sum + size, 0)
}

/** Returns the capacity of a column that grows from `capacity` by quarters until it has room for `rows`. */
function capacityFor(capacity: number, rows: number): number {
  let larger = capacity
  while (larger < rows) larger = roundedRows(Math.max(ROWS_MIN, larger * GROWTH))
  return larger
}

/** Returns the least capacity for rows, in whole multiples, since a scan reads four rows at a time. */
function roundedRows(rows: number): number {
  return Math.ceil(rows / ROWS_MIN) * ROWS_MIN
}

/** Returns the bytes of a new column with `rows` rows. */
export function columnBytes(dimensions: number, rows: number): number {
  return capacityFor(0, rows) * rowBytes(dimensions)
}

/** Returns the length of a vector, summed in float64 in index order. */
export function norm(vector: Float32Array): number {
  let squares = 0
  for (let i = 0; i < vector.length; i++) squares += vector[i] * vector[i]
  return Math.sqrt(squares)
}

/** Length up to which rounding explains that a vector of length 1 is longer. */
const UNIT_LENGTH_MAX = 1 + 1e-3

/**
 * Returns the number that a vector is divided by before it is compared. A vector of length 1 or less counts by its
 * direction alone. A longer one is left as it is, so that its cosines are multiplied by its length: it has fewer
 * components than the queries, and stands in for a vector with all of them (`embedding/embedder.ts`).
 * @param length of the vector
 */
function divisorOf(length: number): number {
  return length > UNIT_LENGTH_MAX ? 1 : length
}

/**
 * Rows as the kernel takes them: addresses of vectors and of norms, and the address of a list of `count` row numbers.
 * The last number is repeated three times behind the list, since the kernel reads four at a time.
 */
export interface ListedRows {
  readonly vectors: number
  readonly norms: number
  readonly list: number
  readonly count: number
}

/**
 * The vectors of one segment: float32 originals, int8 codes of the unit vectors, and by row the scale of the codes and
 * their error, the length of what the codes leave out. All lie in one arena block, which grows by a quarter when full.
 * Once a column takes no more rows, its originals may lie in a file instead; in a small index the other columns, too.
 */
export class VectorColumn {
  readonly dimensions: number
  rows = 0
  /** Largest error of a row's codes. */
  errorMax = 0
  /** Length of the longest row after its division; 1 without stand-ins. */
  longest = 1
  #memory: VectorMemory
  #capacity = 0
  /** Address of the block; 0 without one. */
  #block = 0
  /** File with the originals; null while they are in memory. */
  #file: IndexFile | null = null
  /** File with all other columns, whether they are also in memory or not; null before the column is laid out. */
  #rest: IndexFile | null = null

  constructor(memory: VectorMemory, dimensions: number) {
    this.#memory = memory
    this.dimensions = dimensions
  }

  /** Memory in use. */
  get bytes(): number {
    return this.#block === 0 ? 0 : this.#blockBytes
  }

  /** Bytes that leave memory when the column is paged out. */
  get pageBytes(): number {
    return this.#capacity * (this.#rowBytes - this.dimensions * 4)
  }

  /** Bytes of the stored rows, in memory and in files. */
  get usedBytes(): number {
    return this.rows * this.#rowBytes
  }

  /** Bytes of the originals that lie in a file. */
  get fileBytes(): number {
    return this.#file === null ? 0 : this.rows * this.dimensions * 4
  }

  /** Whether the originals are in memory, and enough for a file of their own. */
  get isMovable(): boolean {
    return this.#file === null && this.rows * this.dimensions * 4 >= MOVED_BYTES_MIN
  }

  /** Returns how much `bytes` grows with `rows` more rows. */
  growthFor(rows: number): number {
    return (capacityFor(this.#capacity, this.rows + rows) - this.#capacity) * this.#rowBytes
  }

  /** Addresses of the columns. They change when `append` grows the block. */
  get norms(): number {
    return this.#block
  }
  get vectors(): number {
    return this.#block + this.#capacity * 8
  }
  get codes(): number {
    return this.vectors + this.#capacity * this.#sizes()[ORIGINALS]
  }
  get scales(): number {
    return this.codes + this.#capacity * codeBytes(this.dimensions)
  }
  get sums(): number {
    return this.scales + this.#capacity * 4
  }
  get errors(): number {
    return this.sums + this.#capacity * 4
  }

  get #rowBytes(): number {
    return rowBytes(this.dimensions)
  }

  get #blockBytes(): number {
    return this.#file === null ? this.#capacity * this.#rowBytes : this.pageBytes
  }

  /** Appends a row. @throws RangeError when the number of dimensions differs or a component is not finite */
  append(vector: Float32Array): void {
    if (vector.length !== this.dimensions) {
      throw new RangeError(`a vector of ${vector.length} dimensions in an index of ${this.dimensions}`)
    }
    const whole = norm(vector)
    if (!Number.isFinite(whole)) throw new RangeError('a vector with a component that is not finite')
    const length = divisorOf(whole)
    const residualAt = this.#memory.scratch('residual', 8)
    if (this.rows === this.#capacity) this.#grow(capacityFor(this.#capacity, this.#capacity + 1))
    const { arena, kernel } = this.#memory
    const { dimensions, rows } = this
    const bytes = codeBytes(dimensions)
    const at = this.vectors + rows * dimensions * 4
    const sumAt = this.sums + rows * 4
    arena.f32.set(vector, at >>> 2)
    arena.f64[(this.norms >>> 3) + rows] = length
    const codes = this.codes + rows * bytes
    const scale = kernel.quantise(at, dimensions, length, CODE_LIMIT, 0, codes, bytes, sumAt, residualAt)
    arena.f32[(this.scales >>> 2) + rows] = scale
    arena.i32[sumAt >>> 2] *= QUERY_OFFSET
    // Raised a little, because float32 may round it down.
    const error = arena.f64[residualAt >>> 3] * (1 + 1e-6)
    arena.f32[(this.errors >>> 2) + rows] = error
    this.errorMax = Math.max(this.errorMax, error)
    if (length < whole) this.longest = Math.max(this.longest, whole)
    this.rows++
  }

  /** Returns a copy of one row's original vector. @throws IndexFileLost */
  read(row: number): Float32Array<ArrayBuffer> {
    const vector = new Float32Array(this.dimensions)
    const { byteLength } = vector
    new Uint8Array(vector.buffer).set(this.#originals(row * byteLength, (row + 1) * byteLength))
    return vector
  }

  /**
   * Calls `visit` with the originals and norms of listed rows, in portions and in order.
   * @param list address of the row numbers, padded as in `ListedRows`
   * @throws IndexFileLost
   */
  eachPortion(list: number, count: number, visit: (portion: ListedRows) => void): void {
    if (this.#file === null) {
      visit({ vectors: this.vectors, norms: this.norms, list, count })
      return
    }
    for (let done = 0; done < count; done += PORTION_ROWS) {
      visit(this.#readPortion(list + done * 4, Math.min(PORTION_ROWS, count - done)))
    }
  }

  /**
   * Moves the originals of a column that takes no more rows to a file. Searches go on meanwhile.
   * @returns false when the originals are in a file, there is no room on disk, or the column is freed meanwhile
   * @throws IndexFileLost, and what `pause` throws; then the originals stay in memory
   */
  async moveOriginals(files: IndexFiles, pause: Pause): Promise<boolean> {
    const bytes = this.rows * this.dimensions * 4
    const file = this.#file === null ? files.create(bytes) : null
    if (file === null) return false
    try {
      for (let from = 0; from < bytes && this.#block !== 0; from += PIECE_BYTES) {
        // A copy, since the block and the memory's buffer may move while it is written.
        await file.append(this.#originals(from, Math.min(bytes, from + PIECE_BYTES)).slice())
        await pause()
      }
    } catch (error) {
      file.close()
      throw error
    }
    if (this.#block === 0) {
      file.close()
      return false
    }
    const old = this.#starts()
    this.#file = file
    this.#moveRows(old)
    this.#memory.arena.resize(this.#block, this.#blockBytes)
    return true
  }

  /**
   * Writes all of a column that takes no more rows to files. The originals stay there, and `pageIn` brings the other
   * columns back. Searches go on meanwhile.
   * @returns false when there is no room on disk, or the column is freed meanwhile
   * @throws IndexFileLost, and what `pause` throws
   */
  async layOut(files: IndexFiles, pause: Pause): Promise<boolean> {
    if (this.#rest !== null || this.rows === 0) return true
    if (this.#file === null && !(await this.moveOriginals(files, pause))) return false
    // A copy, since the memory's buffer may move while it is written.
    const bytes = this.#memory.arena.u8.slice(this.#block, this.#block + this.pageBytes)
    const rest = await writtenFile(files, bytes)
    if (rest === null) return false
    if (this.#block === 0) {
      rest.close()
      return false
    }
    this.#rest = rest
    return true
  }

  /** Frees the memory of a column that is laid out. */
  pageOut(): void {
    if (this.#rest === null) return
    this.#memory.arena.free(this.#block)
    this.#block = 0
  }

  /** Brings the columns other than the originals back to memory. @throws IndexFileLost, ArenaFull */
  pageIn(): void {
    if (this.#rest === null) return
    const { arena } = this.#memory
    const block = arena.allocate(this.pageBytes)
    try {
      this.#rest.read(arena.u8.subarray(block, block + this.pageBytes), 0)
    } catch (error) {
      arena.free(block)
      throw error
    }
    this.#block = block
  }

  /** Writes the stored rows. The originals may move meanwhile. */
  async save(to: SnapshotWriter): Promise<void> {
    const { rows, dimensions } = this
    await to.numbers([dimensions, rows, this.errorMax, this.longest])
    for (const [i, size] of sizesOf(dimensions).entries()) {
      // The block and the memory's buffer may move while the file is written.
      await to.bytes(rows * size, (from, end) => {
        if (i === ORIGINALS) return this.#originals(from, end)
        const start = this.#starts()[i]
        return this.#memory.arena.u8.subarray(start + from, start + end)
      })
    }
  }

  /**
   * Reads a column that was saved, to which no rows may be appended.
   * @param files takes the originals; null for memory, which also takes them when there is no room on disk
   * @throws ArenaFull, IndexFileLost
   */
  static async load(
    memory: VectorMemory,
    from: SnapshotReader,
    files: IndexFiles | null = null,
  ): Promise<VectorColumn> {
    const [dimensions, rows, errorMax, longest] = await from.numbers()
    const column = new VectorColumn(memory, dimensions)
    column.#capacity = roundedRows(rows)
    column.#file = files?.create(rows * dimensions * 4) ?? null
    try {
      column.#block = memory.arena.allocate(column.#blockBytes)
      column.#clearBehind(rows)
      for (const [i, size] of sizesOf(dimensions).entries()) {
        if (i === ORIGINALS && column.#file !== null) await copyTo(column.#file, from, rows * size)
        else {
          const start = column.#starts()[i]
          await from.bytes(rows * size, (at, end) => memory.arena.u8.subarray(start + at, start + end))
        }
      }
    } catch (error) {
      column.free()
      throw error
    }
    column.rows = rows
    column.errorMax = errorMax
    column.longest = longest
    return column
  }

  /** Gives back the room for further rows, up to a fifth of the block. It may take 10 ms, like growing. */
  shrink(): void {
    const capacity = roundedRows(this.rows)
    if (capacity === 0 || capacity >= this.#capacity) return
    const old = this.#starts()
    this.#capacity = capacity
    this.#moveRows(old)
    this.#memory.arena.resize(this.#block, this.#blockBytes)
  }

  /** Frees all memory and files of the column. */
  free(): void {
    if (this.#block !== 0) this.#memory.arena.free(this.#block)
    this.#block = 0
    this.#capacity = 0
    this.#file?.close()
    this.#file = null
    this.#rest?.close()
    this.#rest = null
    this.rows = 0
    this.errorMax = 0
    this.longest = 1
  }

  /** Returns bytes of the originals, from memory as long as they are there. @throws IndexFileLost */
  #originals(from: number, end: number): Uint8Array {
    if (this.#file === null) return this.#memory.arena.u8.subarray(this.vectors + from, this.vectors + end)
    const bytes = new Uint8Array(end - from)
    this.#file.read(bytes, from)
    return bytes
  }

  /** Reads listed rows from the file into scratch memory, one after the other. */
  #readPortion(list: number, count: number): ListedRows {
    const { dimensions } = this
    const { arena, scratch } = this.#memory
    const vectors = scratch('portion vectors', PORTION_ROWS * dimensions * 4)
    const norms = scratch('portion norms', PORTION_ROWS * 8)
    const numbers = scratch('portion numbers', (PORTION_ROWS + 3) * 4)
    const { u8, u32, f64 } = arena
    const bytes = dimensions * 4
    const rows = u32.subarray(list >>> 2, (list >>> 2) + count)
    for (let first = 0, end = 0; first < count; first = end) {
      // Rows that follow each other are read together.
      for (end = first + 1; end < count && rows[end] === rows[end - 1] + 1;) end++
      this.#file!.read(u8.subarray(vectors + first * bytes, vectors + end * bytes), rows[first] * bytes)
    }
    for (let i = 0; i < count; i++) f64[(norms >>> 3) + i] = f64[(this.norms >>> 3) + rows[i]]
    for (let i = 0; i < count + 3; i++) u32[(numbers >>> 2) + i] = Math.min(i, count - 1)
    return { vectors, norms, list: numbers, count }
  }

  /** Grows the block where it lies if there is room behind it, so that no gaps are left; else moves to a new block. */
  #grow(capacity: number): void {
    const { arena } = this.#memory
    const bytes = capacity * this.#rowBytes
    const old = { block: this.#block, starts: this.#starts() }
    const stays = old.block !== 0 && arena.resize(old.block, bytes)
    if (!stays) this.#block = arena.allocate(bytes)
    this.#capacity = capacity
    this.#moveRows(old.starts)
    if (!stays && old.block !== 0) arena.free(old.block)
  }

  /** Moves the rows of each column to its present start. @param from the former starts of the columns */
  #moveRows(from: readonly number[]): void {
    const { u8 } = this.#memory.arena
    const moves = this.#starts().map((to, i) => ({ from: from[i], to, bytes: this.rows * this.#sizes()[i] }))
    // The last column moves up first, and the first column moves down first; otherwise one would overwrite another.
    const movesUp = moves.every(({ from: start, to }) => to >= start)
    for (const { from: start, to, bytes } of movesUp ? moves.reverse() : moves) u8.copyWithin(to, start, start + bytes)
    this.#clearBehind(this.rows)
  }

  /**
   * Clears scales, sums and errors behind the last row, since a scan reads four rows at a time and needs valid numbers.
   */
  #clearBehind(rows: number): void {
    for (const start of this.#starts().slice(3)) {
      this.#memory.arena.u8.fill(0, start + rows * 4, start + this.#capacity * 4)
    }
  }

  /** Returns the bytes of a row by column of the block; 0 for originals in a file. */
  #sizes(): number[] {
    const sizes = sizesOf(this.dimensions)
    if (this.#file !== null) sizes[ORIGINALS] = 0
    return sizes
  }

  /** Returns the addresses of all columns, in the order of `sizesOf`. */
  #starts(): number[] {
    return [this.norms, this.vectors, this.codes, this.scales, this.sums, this.errors]
  }
}

/** Copies the next bytes of a snapshot to a file. */
async function copyTo(file: IndexFile, from: SnapshotReader, bytes: number): Promise<void> {
  const piece = new Uint8Array(PIECE_BYTES)
  for (let done = 0; done < bytes; done += PIECE_BYTES) {
    const part = piece.subarray(0, Math.min(PIECE_BYTES, bytes - done))
    await from.bytes(part.length, (at, end) => part.subarray(at, end))
    await file.append(part)
  }
}
