/**
 * A dictionary of terms, each with an id and an append-only list of 32-bit values. All lists share one pool, in slices
 * that double in size: a rare term takes a few bytes, and a frequent one needs few jumps (as in the in-memory postings
 * of Lucene and of Earlybird, Busch et al., ICDE 2012).
 */
import type { Pause } from '../../../platform/threads/slices.ts'
import { drainInSlices } from '../../../platform/threads/steps.ts'
import { FrozenTerms } from './frozen-terms.ts'
import { mapBytes, type MemorySize, stringBytes } from './memory-size.ts'
import type { NumberArray, SnapshotReader, SnapshotWriter } from './checked-stream.ts'
import { rangeOf } from './sorted-terms.ts'

const SLICE_MIN = 2
const SLICE_MAX = 1_024
/** Cells of the pool that a new term takes: its first slice, and the link behind it. */
const CELLS_MAX = SLICE_MIN + 1
/** Assumed bytes of a new term's text. */
const TERM_TEXT_BYTES = 32
/** Cells joined between two pauses, less than a millisecond's work. */
const VALUES_A_STEP = 16_384
/** Bytes of a term of a frozen dictionary in a `TermList`, with its id. */
const LISTED_TERM_BYTES = 40

/** Terms that start with the same UTF-16 unit. */
interface TermList {
  readonly terms: string[]
  /** The ids of `terms`. While there are fewer of them, `terms` still has to be sorted. */
  ids: Uint32Array
}

const NO_IDS = new Uint32Array(0)
const NO_TERMS: TermList = { terms: [], ids: NO_IDS }

export class Postings {
  #terms = new Map<string, number>()
  /** Replaces `#terms` once no more terms come. The lists then lie end to end in the pool, without slices. */
  #frozen: FrozenTerms | null = null
  #pool = new Uint32Array(64)
  /** Number of cells of the pool in use. */
  #used = 0
  /** By id, the start of the term's first slice. In frozen postings followed by the end of the last list. */
  #first = new Uint32Array(8)
  /** By id, the cell of the term's next value. Empty in frozen postings, like the two arrays below. */
  #next = new Uint32Array(8)
  /** By id, the end of the term's last slice. */
  #end = new Uint32Array(8)
  /** By id, the number of the term's values. */
  #count = new Uint32Array(8)
  #textBytes = 0
  /** Terms by their first unit; empty until a search needs them. */
  #byUnit = new Map<string, TermList>()
  /** The terms that `#byUnit` lacks; null before the first is listed. */
  #unlisted: Iterator<[string, number]> | null = null
  /** Number of terms in `#byUnit`. */
  #listed = 0

  get isFrozen(): boolean {
    return this.#frozen !== null
  }

  get size(): number {
    return this.#frozen?.size ?? this.#terms.size
  }

  get bytes(): number {
    const lists = this.#first.byteLength + this.#next.byteLength + this.#end.byteLength + this.#count.byteLength
    return this.#pool.byteLength + lists + 4 * this.#listed + (this.#frozen?.bytes ?? 0) + this.heapBytes
  }

  /**
   * The part of `bytes` on the heap: the dictionary, unless it is frozen, and the lists of terms by their first unit.
   */
  get heapBytes(): number {
    if (this.#frozen !== null) return LISTED_TERM_BYTES * this.#listed
    return mapBytes(this.#terms.size) + this.#textBytes + 8 * this.#listed
  }

  /** Returns about the most memory that appending a value to each of `terms` terms takes. */
  growthFor(terms: number): MemorySize {
    const cells = this.#used + terms * CELLS_MAX
    const pool = cells > this.#pool.length ? this.#pool.byteLength * Math.ceil(cells / this.#pool.length) : 0
    const lists = this.#terms.size + terms > this.#first.length ? 4 * this.#first.byteLength : 0
    const heapBytes = mapBytes(this.#terms.size + terms) - mapBytes(this.#terms.size) + terms * TERM_TEXT_BYTES
    return { bytes: pool + lists + heapBytes, heapBytes }
  }

  /** Returns the id of the term; -1 if the dictionary lacks it. @throws PagedOut */
  find(term: string): number {
    return this.#frozen === null ? (this.#terms.get(term) ?? -1) : this.#frozen.find(term)
  }

  /** Returns each term with its id. */
  terms(): IterableIterator<[string, number]> {
    return this.#frozen === null ? this.#terms.entries() : this.#frozen[Symbol.iterator]()
  }

  /** Returns the terms that start with a UTF-16 unit, sorted by code unit. */
  beginningWith(unit: string): readonly string[] {
    return this.#listOf(unit).terms
  }

  /** Calls `visit` with each term that starts with `prefix`, and the number of its values. */
  eachWithPrefix(prefix: string, visit: (term: string, count: number) => void): void {
    const { terms, ids } = this.#listOf(prefix[0])
    const [from, to] = rangeOf(terms, prefix)
    for (let i = from; i < to; i++) visit(terms[i], this.count(ids[i]))
  }

  /** Returns the list of a unit. The lists are made when first needed and then grow with the dictionary. */
  #listOf(unit: string): TermList {
    this.#unlisted ??= this.terms()
    for (; this.#listed < this.size; this.#listed++) {
      // A map's iterator that has not reached its end also visits terms added later.
      const [term] = this.#unlisted.next().value as [string, number]
      const list = this.#byUnit.get(term[0])
      if (list === undefined) this.#byUnit.set(term[0], { terms: [term], ids: NO_IDS })
      else list.terms.push(term)
    }
    const list = this.#byUnit.get(unit)
    if (list === undefined) return NO_TERMS
    if (list.ids.length < list.terms.length) list.ids = Uint32Array.from(list.terms.sort(), (term) => this.find(term))
    return list
  }

  /** Returns the number of a term's values. */
  count(id: number): number {
    return this.#frozen === null ? this.#count[id] : this.#first[id + 1] - this.#first[id]
  }

  /** Tells whether an ascending list has a value. */
  has(id: number, value: number): boolean {
    const count = this.count(id)
    let from = this.#first[id]
    if (this.#frozen !== null) return hasValue(this.#pool, from, count, value)
    let size = SLICE_MIN
    for (let done = 0; done < count;) {
      const length = Math.min(size, count - done)
      if (this.#pool[from + length - 1] >= value) return hasValue(this.#pool, from, length, value)
      done += length
      from = this.#pool[from + size]
      size = Math.min(size * 2, SLICE_MAX)
    }
    return false
  }

  append(term: string, value: number): void {
    const id = this.#terms.get(term) ?? this.#addTerm(term)
    if (this.#next[id] === this.#end[id]) this.#addSlice(id)
    this.#pool[this.#next[id]++] = value
    this.#count[id]++
  }

  /**
   * Copies a term's values to `into`, oldest first; `into` must have room for `count`.
   * @returns the number of values
   */
  read(id: number, into: Uint32Array): number {
    const count = this.count(id)
    let from = this.#first[id]
    if (this.#frozen !== null) {
      copyValues(this.#pool, from, count, into, 0)
      return count
    }
    let size = SLICE_MIN
    for (let done = 0; done < count;) {
      const length = Math.min(size, count - done)
      copyValues(this.#pool, from, length, into, done)
      done += length
      from = this.#pool[from + size]
      size = Math.min(size * 2, SLICE_MAX)
    }
    return count
  }

  /**
   * Makes the postings smaller; afterwards they take no more values. Changes nothing where the postings are frozen
   * already, or where the hashes of too many terms collide.
   */
  async freeze(pause: Pause): Promise<void> {
    if (this.#frozen !== null) return
    const frozen = await drainInSlices(FrozenTerms.freezing(this.#terms, this.#terms.size), pause)
    if (frozen === null) return
    const { pool, first } = await drainInSlices(this.#joining(), pause)
    this.#frozen = frozen
    this.#pool = pool
    this.#used = pool.length
    this.#first = first
    this.#terms = new Map()
    this.#textBytes = 0
    this.#forgetLists()
    const none = new Uint32Array(0)
    this.#next = none
    this.#end = none
    this.#count = none
  }

  /** All arrays of frozen postings; null if the postings are not frozen. */
  get arrays(): readonly NumberArray[] | null {
    return this.#frozen === null ? null : [...this.#frozen.arrays, this.#pool, this.#first]
  }

  /** Forgets the arrays of frozen postings. Until `pageIn` only `size` and `bytes` may be read. */
  pageOut(): void {
    this.#frozen!.pageOut()
    this.#pool = new Uint32Array()
    this.#first = new Uint32Array()
    this.#forgetLists()
  }

  /** Takes the arrays back. @param arrays with the content of `arrays`, in its order */
  pageIn(arrays: readonly NumberArray[]): void {
    this.#frozen!.pageIn(arrays)
    const [pool, first] = arrays.slice(-2)
    this.#pool = pool as Uint32Array<ArrayBuffer>
    this.#first = first as Uint32Array<ArrayBuffer>
  }

  #forgetLists(): void {
    this.#byUnit = new Map()
    this.#unlisted = null
    this.#listed = 0
  }

  /** Writes frozen postings. @throws RangeError if the postings are not frozen */
  async save(to: SnapshotWriter): Promise<void> {
    if (this.#frozen === null) throw new RangeError('postings that are not frozen')
    await this.#frozen.save(to)
    await to.array(this.#pool)
    await to.array(this.#first)
  }

  static async load(from: SnapshotReader): Promise<Postings> {
    const postings = new Postings()
    postings.#frozen = await FrozenTerms.load(from)
    postings.#pool = await from.array(Uint32Array)
    postings.#used = postings.#pool.length
    postings.#first = await from.array(Uint32Array)
    const none = new Uint32Array(0)
    postings.#next = none
    postings.#end = none
    postings.#count = none
    return postings
  }

  /** Joins the slices of each list: a third of the pool of small indexes is links between slices and empty cells. */
  *#joining(): Generator<undefined, { pool: Uint32Array<ArrayBuffer>; first: Uint32Array<ArrayBuffer> }> {
    const first = new Uint32Array(this.size + 1)
    for (let id = 0; id < this.size; id++) first[id + 1] = first[id] + this.#count[id]
    const pool = new Uint32Array(first[this.size])
    let copied = 0
    for (let id = 0; id < this.size; id++) {
      this.read(id, pool.subarray(first[id]))
      copied += CELLS_MAX + this.#count[id]
      if (copied < VALUES_A_STEP) continue
      copied = 0
      yield
    }
    return { pool, first }
  }

  #addTerm(term: string): number {
    if (this.#frozen !== null) throw new RangeError('frozen postings take no terms')
    const id = this.#terms.size
    this.#terms.set(term, id)
    this.#textBytes += stringBytes(term)
    if (id === this.#first.length) {
      this.#first = doubled(this.#first)
      this.#next = doubled(this.#next)
      this.#end = doubled(this.#end)
      this.#count = doubled(this.#count)
    }
    const start = this.#reserve(SLICE_MIN + 1)
    this.#first[id] = start
    this.#next[id] = start
    this.#end[id] = start + SLICE_MIN
    return id
  }

  /** Adds a slice to a list whose last slice is full. The cell behind a slice's values links to the next slice. */
  #addSlice(id: number): void {
    let size = SLICE_MIN
    for (let cells = SLICE_MIN; cells < this.#count[id]; cells += size) size = Math.min(size * 2, SLICE_MAX)
    size = Math.min(size * 2, SLICE_MAX)
    const start = this.#reserve(size + 1)
    this.#pool[this.#end[id]] = start
    this.#next[id] = start
    this.#end[id] = start + size
  }

  /** Takes cells at the end of the pool. @returns the first of them */
  #reserve(cells: number): number {
    const start = this.#used
    this.#used += cells
    while (this.#used > this.#pool.length) this.#pool = doubled(this.#pool)
    return start
  }
}

/** Tells whether `length` ascending numbers of an array have a value, by binary search. */
function hasValue(array: Uint32Array, start: number, length: number, value: number): boolean {
  let from = start
  let to = start + length
  while (from < to) {
    const middle = (from + to) >>> 1
    if (array[middle] < value) from = middle + 1
    else to = middle
  }
  return from < start + length && array[from] === value
}

function copyValues(from: Uint32Array, at: number, count: number, into: Uint32Array, place: number): void {
  if (count < 16) for (let i = 0; i < count; i++) into[place + i] = from[at + i]
  else into.set(from.subarray(at, at + count), place)
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
