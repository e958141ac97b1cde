/**
 * A dictionary of terms, each with an append-only list of 32-bit values. All lists share one pool, in slices that
 * double in size: a rare term takes a few bytes, and a frequent one needs few jumps (as in the in-memory postings of
 * Lucene and of Earlybird, Busch et al., ICDE 2012).
 */
import { mapBytes, type MemorySize, stringBytes } from './memory-size.ts'
import { rangeOf } from './sorted-terms.ts'

const SLICE_MIN = 2
const SLICE_MAX = 1_024
/** Cells that a new term takes of the pool. */
const CELLS_MAX = SLICE_MIN + 1
const TERM_TEXT_BYTES = 32

/** Terms that start with the same unit. They are in order when each has its number. */
interface TermList {
  readonly terms: string[]
  ids: Uint32Array
}

const NO_IDS = new Uint32Array(0)
const NO_TERMS: TermList = { terms: [], ids: NO_IDS }

export class Postings {
  #terms = new Map<string, number>()
  #pool = new Uint32Array(64)
  #used = 0
  /**
   * Per term: the start of its first slice, the cell of its next value, the end of its last slice, the number of
   * values.
   */
  #first = new Uint32Array(8)
  #next = new Uint32Array(8)
  #end = new Uint32Array(8)
  #count = new Uint32Array(8)
  #textBytes = 0
  /** Terms by their first unit, as far as listed; empty until first needed. */
  #byUnit = new Map<string, TermList>()
  #unlisted: MapIterator<string> | null = null
  #listed = 0

  get size(): number {
    return this.#terms.size
  }

  get bytes(): number {
    return this.#pool.byteLength + 4 * this.#first.byteLength + 4 * this.#listed + this.heapBytes
  }

  /** The part of `bytes` on the heap: the dictionary. */
  get heapBytes(): number {
    return mapBytes(this.#terms.size) + this.#textBytes + 8 * this.#listed
  }

  /** About the most that appending a value to each of `terms` terms takes. */
  growthFor(terms: number): MemorySize {
    const cells = this.#used + terms * CELLS_MAX
    const pool = cells > this.#pool.length ? this.#pool.byteLength * Math.ceil(cells / this.#pool.length) : 0
    const lists = this.#terms.size + terms > this.#first.length ? 4 * this.#first.byteLength : 0
    const heapBytes = mapBytes(this.#terms.size + terms) - mapBytes(this.#terms.size) + terms * TERM_TEXT_BYTES
    return { bytes: pool + lists + heapBytes, heapBytes }
  }

  /** Number of the term; -1 if it is not there. */
  find(term: string): number {
    return this.#terms.get(term) ?? -1
  }

  terms(): IterableIterator<[string, number]> {
    return this.#terms.entries()
  }

  /** Terms that start with a UTF-16 unit, by code unit. */
  beginningWith(unit: string): readonly string[] {
    return this.#listOf(unit).terms
  }

  /** Calls `visit` with each term that starts with `prefix`, and the number of its values. */
  eachWithPrefix(prefix: string, visit: (term: string, count: number) => void): void {
    const { terms, ids } = this.#listOf(prefix[0])
    const [from, to] = rangeOf(terms, prefix)
    for (let i = from; i < to; i++) visit(terms[i], this.#count[ids[i]])
  }

  /** The lists are made when first needed and then grow with the dictionary. */
  #listOf(unit: string): TermList {
    this.#unlisted ??= this.#terms.keys()
    for (; this.#listed < this.#terms.size; this.#listed++) {
      // A map's iterator that has not reached its end also visits terms added later.
      const term = this.#unlisted.next().value!
      const list = this.#byUnit.get(term[0])
      if (list === undefined) this.#byUnit.set(term[0], { terms: [term], ids: NO_IDS })
      else list.terms.push(term)
    }
    const list = this.#byUnit.get(unit)
    if (list === undefined) return NO_TERMS
    if (list.ids.length < list.terms.length) list.ids = Uint32Array.from(list.terms.sort(), (term) => this.find(term))
    return list
  }

  count(id: number): number {
    return this.#count[id]
  }

  append(term: string, value: number): void {
    const id = this.#terms.get(term) ?? this.#addTerm(term)
    if (this.#next[id] === this.#end[id]) this.#addSlice(id)
    this.#pool[this.#next[id]++] = value
    this.#count[id]++
  }

  /** Copies a term's values to `into`, oldest first; `into` must have room for `count`. @returns how many there are */
  read(id: number, into: Uint32Array): number {
    const count = this.#count[id]
    let from = this.#first[id]
    let size = SLICE_MIN
    for (let done = 0; done < count;) {
      const taken = Math.min(size, count - done)
      if (taken < 16) for (let i = 0; i < taken; i++) into[done + i] = this.#pool[from + i]
      else into.set(this.#pool.subarray(from, from + taken), done)
      done += taken
      from = this.#pool[from + size]
      size = Math.min(size * 2, SLICE_MAX)
    }
    return count
  }

  #addTerm(term: string): number {
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

  /** Links a new slice after the full one. The cell after a slice's values holds the link. */
  #addSlice(id: number): void {
    let size = SLICE_MIN
    for (let held = SLICE_MIN; held < this.#count[id]; held += size) size = Math.min(size * 2, SLICE_MAX)
    size = Math.min(size * 2, SLICE_MAX)
    const start = this.#reserve(size + 1)
    this.#pool[this.#end[id]] = start
    this.#next[id] = start
    this.#end[id] = start + size
  }

  #reserve(cells: number): number {
    const start = this.#used
    this.#used += cells
    while (this.#used > this.#pool.length) this.#pool = doubled(this.#pool)
    return start
  }
}

function doubled(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
