import { fstatSync, openSync, readSync } from 'node:fs'

/** Rows that are read together, 64 KiB of them in the model that ships with the service. */
export const BLOCK_ROWS = 256

/**
 * The rows of a model in its file. Blocks of them are read when the first text needs them, and stay: a service that
 * embeds nothing has none in memory, and one that embeds few words has few. The file stays open, so that a program that
 * is replaced on disk goes on with the rows that it began with.
 */
export class RowFile {
  readonly #file: number
  readonly #start: number
  readonly #dimensions: number
  readonly #blocks: (Int8Array | undefined)[]

  /**
   * @param path path of the file
   * @param start byte at which the first row begins
   * @param rows number of rows
   * @param dimensions bytes of a row
   * @throws Error when the file cannot be opened, or ends before the last row
   */
  constructor(path: URL, start: number, rows: number, dimensions: number) {
    this.#file = openSync(path, 'r')
    this.#start = start
    this.#dimensions = dimensions
    this.#blocks = Array.from({ length: Math.ceil(rows / BLOCK_ROWS) })
    if (fstatSync(this.#file).size < start + rows * dimensions) throw new Error('the file ends before its last row')
  }

  /** Returns a block of rows, the first one that of row 0. @throws Error when the file cannot be read */
  block(index: number): Int8Array {
    return (this.#blocks[index] ??= this.#read(index))
  }

  #read(index: number): Int8Array {
    const bytes = new Int8Array(BLOCK_ROWS * this.#dimensions)
    readSync(this.#file, bytes, { position: this.#start + index * bytes.length })
    return bytes
  }
}
