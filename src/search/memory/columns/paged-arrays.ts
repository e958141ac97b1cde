/** Keeps arrays in a file and brings them back to memory together. */
import { type IndexFile, type IndexFiles, writtenFile } from './index-files.ts'
import type { NumberArray } from './checked-stream.ts'

const ALIGN_BYTES = 8
/** Largest share of a buffer that may stay empty when the buffer is used again. */
const EMPTY_SHARE = 0.2
const SPARE_MAX = 8
/**
 * Buffers that wait for the next arrays. The system gives out new memory page by page: with new buffers, searches of
 * many tenants took twice the processor time.
 */
const spare: ArrayBuffer[] = []

/** Where an array lies in the file. */
interface Place {
  readonly kind: new (buffer: ArrayBuffer, at: number, length: number) => NumberArray
  readonly at: number
  readonly length: number
}

export class PagedArrays {
  /** Bytes of all arrays in the file. */
  readonly bytes: number
  readonly #file: IndexFile
  readonly #places: readonly Place[]
  #buffer: ArrayBuffer | null = null

  private constructor(file: IndexFile, bytes: number, places: readonly Place[]) {
    this.#file = file
    this.bytes = bytes
    this.#places = places
  }

  /** Writes arrays that change no more to a file. @returns null when there is no room on disk @throws IndexFileLost */
  static async write(arrays: readonly NumberArray[], files: IndexFiles): Promise<PagedArrays | null> {
    const places: Place[] = []
    let bytes = 0
    for (const array of arrays) {
      places.push({ kind: array.constructor as Place['kind'], at: bytes, length: array.length })
      bytes += Math.ceil(array.byteLength / ALIGN_BYTES) * ALIGN_BYTES
    }
    const whole = new Uint8Array(bytes)
    for (const [i, { buffer, byteOffset, byteLength }] of arrays.entries()) {
      whole.set(new Uint8Array(buffer, byteOffset, byteLength), places[i].at)
    }
    const file = await writtenFile(files, whole)
    return file === null ? null : new PagedArrays(file, bytes, places)
  }

  /** Reads the arrays, in their order, into one buffer. @throws IndexFileLost */
  pageIn(): NumberArray[] {
    const buffer = takeBuffer(this.bytes)
    this.#file.read(new Uint8Array(buffer, 0, this.bytes), 0)
    this.#buffer = buffer
    return this.#places.map(({ kind: Kind, at, length }) => new Kind(buffer, at, length))
  }

  /** Takes back the memory of the arrays from `pageIn`, which the caller must not use any more. */
  pageOut(): void {
    if (this.#buffer !== null) spare.push(this.#buffer)
    if (spare.length > SPARE_MAX) spare.shift()
    this.#buffer = null
  }

  /** Bytes of the buffer behind the arrays; 0 while they are not in memory. */
  get emptyBytes(): number {
    return this.#buffer === null ? 0 : this.#buffer.byteLength - this.bytes
  }

  close(): void {
    this.#file.close()
  }
}

/** Returns a buffer of at least `bytes`, if possible a spare one. */
function takeBuffer(bytes: number): ArrayBuffer {
  const at = spare.findIndex(({ byteLength }) => byteLength >= bytes && byteLength * (1 - EMPTY_SHARE) <= bytes)
  return at < 0 ? Buffer.allocUnsafeSlow(bytes).buffer : spare.splice(at, 1)[0]
}
