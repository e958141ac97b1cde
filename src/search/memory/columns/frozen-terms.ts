/**
 * A dictionary of terms to which none can be added: the bytes of the terms end to end, and a table of hashes with open
 * addressing. It lies outside the heap, takes a third of a `Map` of strings, and is read from a file as it is.
 */
import { randomInt } from 'node:crypto'
import type { NumberArray, SnapshotReader, SnapshotWriter } from './checked-stream.ts'
import { type Bits, bitsFor, hasBit, setBit } from './bitset.ts'

/** Most places that a term may need in a table that is at most half full; more are a sign of terms made to collide. */
const PROBES_MAX = 256
const SEEDS_TRIED = 4
const TERMS_A_STEP = 1_024
const NOT_LATIN1 = /[\u{100}-\u{10ffff}]/u

/** Most terms of a dictionary whose table has two bytes for each place; other tables have four. */
const SHORT_TABLE_TERMS = 2 ** 16 - 1
type HashTable = Uint16Array | Uint32Array

/** The program reads a dictionary that is paged out, which is a fault of the program. */
export class PagedOut extends Error {
  override readonly name = 'PagedOut'
}

export class FrozenTerms {
  readonly size: number
  readonly #seed: number
  /** The terms in Latin-1, or in UTF-16 where a term needs it. */
  #bytes: Buffer<ArrayBuffer>
  /** By id, where a term begins in `#bytes`, followed by the end of the last term. */
  #starts: Uint32Array
  /** The ids of terms in UTF-16. */
  #wide: Bits
  /**
   * The id of a term plus one, at or behind the place of its hash; 0 for an empty place. Has no places while paged out.
   */
  #table: HashTable

  private constructor(seed: number, bytes: Buffer<ArrayBuffer>, starts: Uint32Array, wide: Bits, table: HashTable) {
    this.size = starts.length - 1
    this.#seed = seed
    this.#bytes = bytes
    this.#starts = starts
    this.#wide = wide
    this.#table = table
  }

  get bytes(): number {
    return this.#bytes.length + this.#starts.byteLength + this.#wide.byteLength + this.#table.byteLength
  }

  /** All arrays of the dictionary, in the order in which `pageIn` takes them. */
  get arrays(): readonly NumberArray[] {
    const { buffer, byteOffset, length } = this.#bytes
    return [new Uint8Array(buffer, byteOffset, length), this.#starts, this.#wide, this.#table]
  }

  /** Forgets the arrays. Until `pageIn` only `size` and `bytes` may be read. */
  pageOut(): void {
    this.#bytes = Buffer.alloc(0)
    this.#starts = new Uint32Array()
    this.#wide = new Uint32Array()
    this.#table = new Uint16Array()
  }

  /** Takes the arrays back. @param arrays with the content of `arrays`, in its order; further arrays are ignored */
  pageIn([bytes, starts, wide, table]: readonly NumberArray[]): void {
    this.#bytes = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength)
    this.#starts = starts as Uint32Array
    this.#wide = wide as Bits
    this.#table = table as HashTable
  }

  /** Returns the id of the term; -1 if the dictionary lacks it. @throws PagedOut */
  find(term: string): number {
    const mask = this.#table.length - 1
    if (mask < 0) throw new PagedOut('a dictionary is read while it is paged out')
    for (let at = hashOf(term, this.#seed) & mask; ; at = (at + 1) & mask) {
      const id = this.#table[at] - 1
      if (id < 0 || this.#is(id, term)) return id
    }
  }

  termOf(id: number): string {
    const from = this.#starts[id]
    const to = this.#starts[id + 1]
    return this.#bytes.toString(hasBit(this.#wide, id) ? 'utf16le' : 'latin1', from, to)
  }

  /** Yields each term with its id. @throws PagedOut */
  *[Symbol.iterator](): Generator<[string, number], undefined> {
    if (this.#table.length === 0) throw new PagedOut('a dictionary is read while it is paged out')
    for (let id = 0; id < this.size; id++) yield [this.termOf(id), id]
  }

  async save(to: SnapshotWriter): Promise<void> {
    await to.numbers([this.#seed])
    await to.array(this.#bytes)
    await to.array(this.#starts)
    await to.array(this.#wide)
    await to.array(this.#table)
  }

  static async load(from: SnapshotReader): Promise<FrozenTerms> {
    const [seed] = await from.numbers()
    const bytes = await from.array(Uint8Array)
    const starts = await from.array(Uint32Array)
    const wide = await from.array(Uint32Array)
    const table = await from.array<HashTable>(tableKind(starts.length - 1))
    return new FrozenTerms(seed, Buffer.from(bytes.buffer), starts, wide, table)
  }

  /**
   * Freezes terms in the order of their ids, in steps of less than a millisecond.
   * @param terms visited several times
   * @returns null if the hashes of too many terms collide
   */
  static *freezing(terms: Iterable<readonly [string, number]>, size: number): Generator<undefined, FrozenTerms | null> {
    const starts = new Uint32Array(size + 1)
    const wide = bitsFor(size)
    let id = 0
    let length = 0
    for (const [term] of terms) {
      const isWide = NOT_LATIN1.test(term)
      if (isWide) setBit(wide, id)
      length += isWide ? 2 * term.length : term.length
      starts[++id] = length
      if (id % TERMS_A_STEP === 0) yield
    }
    const bytes = Buffer.allocUnsafeSlow(length)
    id = 0
    for (const [term] of terms) {
      bytes.write(term, starts[id], hasBit(wide, id) ? 'utf16le' : 'latin1')
      if (++id % TERMS_A_STEP === 0) yield
    }
    const tableLength = 2 ** Math.ceil(Math.log2(Math.max(1, size) * 2))
    for (let tried = 0; tried < SEEDS_TRIED; tried++) {
      const seed = randomInt(2 ** 31)
      const table = yield* hashing(terms, new (tableKind(size))(tableLength), seed)
      if (table !== null) return new FrozenTerms(seed, bytes, starts, wide, table)
    }
    return null
  }

  /** Tells whether the term with this id is `term`. */
  #is(id: number, term: string): boolean {
    const bytes = this.#bytes
    let at = this.#starts[id]
    const length = this.#starts[id + 1] - at
    if (length === term.length && !hasBit(this.#wide, id)) {
      for (let i = 0; i < length; i++) if (bytes[at + i] !== term.charCodeAt(i)) return false
      return true
    }
    if (length !== 2 * term.length || !hasBit(this.#wide, id)) return false
    for (let i = 0; i < term.length; i++, at += 2) {
      if ((bytes[at] | (bytes[at + 1] << 8)) !== term.charCodeAt(i)) return false
    }
    return true
  }
}

function tableKind(terms: number): Uint16ArrayConstructor | Uint32ArrayConstructor {
  return terms <= SHORT_TABLE_TERMS ? Uint16Array : Uint32Array
}

/** Fills a table of hashes. @returns null if the hashes of too many terms collide */
function* hashing(
  terms: Iterable<readonly [string, number]>,
  table: HashTable,
  seed: number,
): Generator<undefined, HashTable | null> {
  const mask = table.length - 1
  let id = 0
  for (const [term] of terms) {
    let at = hashOf(term, seed) & mask
    let probes = 0
    for (; table[at] !== 0; at = (at + 1) & mask) if (++probes > PROBES_MAX) return null
    table[at] = ++id
    if (id % TERMS_A_STEP === 0) yield
  }
  return table
}

/**
 * Hashes a term by FNV-1a over UTF-16 units (Fowler, Noll, Vo), then by the mixing of MurmurHash3, so that the low bits
 * depend on all bits.
 */
function hashOf(term: string, seed: number): number {
  let hash = seed ^ 0x811c9dc5
  for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
