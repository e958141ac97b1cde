/** Sets of slots whose number is in a range or in a list. One pass over the segment's numbers makes a set. */
import type { Filter, NumberListFilter } from '../../engine.ts'
import { type Bits, bitsFor, setBit } from './bitset.ts'
import type { Segment } from './segment.ts'

/**
 * Sets that each segment caches; the least recently used set is dropped first. One search needs fewer: for 16
 * conditions of its filter and those of the rules of its sites, with two sets for each condition on a price.
 */
const SETS_MAX = 512
/** Bytes of a set beside its bits. */
const SET_BYTES = 400

export type NumericFilter = Extract<Filter, { number: string }>
type RangeFilter = Exclude<NumericFilter, NumberListFilter>

interface NumericSet {
  /** Number that stands for the set in a cache key. */
  readonly serial: number
  /** Name of the number field or property. */
  readonly number: string
  /** How often values of the number had been replaced when the set was made. */
  readonly revision: number
  /** The matching slots, including dead ones. */
  readonly bits: Bits
  readonly heapBytes: number
  /** Tells whether the filter has the same slots, by comparing bounds or lists. */
  holdsFor(filter: NumericFilter): boolean
}

/** The sets of one segment, valid until documents are appended or die. */
export class NumericSets {
  readonly #segment: Segment
  /** The cached sets, the least recently used one first. */
  #sets: NumericSet[] = []
  #nextSerial = 0

  constructor(segment: Segment) {
    this.#segment = segment
  }

  get count(): number {
    return this.#sets.length
  }

  /** Approximate bytes on the heap beside the bits. */
  get heapBytes(): number {
    return this.#sets.reduce((sum, set) => sum + set.heapBytes, 0)
  }

  forget(): void {
    this.#sets = []
  }

  /** Returns the set of a filter. */
  of(filter: NumericFilter): NumericSet {
    const ordered = 'anyOf' in filter ? { ...filter, anyOf: sorted(filter.anyOf) } : filter
    const revision = this.#segment.revisionOf(filter.number)
    const at = this.#sets.findLastIndex((set) => set.holdsFor(ordered) && set.revision === revision)
    const [cached] = at < 0 ? [] : this.#sets.splice(at, 1)
    // A set from before values were replaced is never used again.
    if (cached === undefined)
      this.#sets = this.#sets.filter((set) => set.number !== filter.number || set.revision === revision)
    const set = cached ?? this.#make(ordered, revision)
    this.#sets.push(set)
    if (this.#sets.length > SETS_MAX) this.#sets.shift()
    return set
  }

  #make(filter: NumericFilter, revision: number): NumericSet {
    const numbers = this.#segment.numbersOf(filter.number)
    const serial = this.#nextSerial++
    return 'anyOf' in filter
      ? new NumberList(serial, revision, filter, numbers)
      : new Range(serial, revision, filter, numbers)
  }
}

function sorted(numbers: readonly number[]): number[] {
  return Array.from(Float64Array.from(numbers).sort())
}

/** The set of a list of numbers in ascending order. */
class NumberList implements NumericSet {
  readonly serial: number
  readonly number: string
  readonly revision: number
  readonly bits: Bits
  readonly #filter: NumberListFilter

  constructor(serial: number, revision: number, filter: NumberListFilter, numbers: ArrayLike<number>) {
    this.serial = serial
    this.number = filter.number
    this.revision = revision
    this.#filter = filter
    this.bits = bitsFor(numbers.length)
    const list = Float64Array.from(filter.anyOf)
    const last = list.length - 1
    for (let slot = 0; slot < numbers.length; slot++) {
      const number = numbers[slot]
      if (!(number >= list[0] && number <= list[last])) continue
      let from = 0
      let to = last
      while (from < to) {
        const middle = (from + to) >>> 1
        if (list[middle] < number) from = middle + 1
        else to = middle
      }
      if (list[from] === number) setBit(this.bits, slot)
    }
  }

  get heapBytes(): number {
    return SET_BYTES + 8 * this.#filter.anyOf.length
  }

  holdsFor(filter: NumericFilter): boolean {
    if (!('anyOf' in filter) || filter.number !== this.#filter.number) return false
    const { anyOf } = this.#filter
    return filter.anyOf.length === anyOf.length && filter.anyOf.every((number, i) => number === anyOf[i])
  }
}

/** The set of a range, with the gaps within which the bounds may move without changing the set. */
class Range implements NumericSet {
  readonly serial: number
  readonly number: string
  readonly revision: number
  readonly bits: Bits
  readonly heapBytes = SET_BYTES
  readonly #filter: RangeFilter
  readonly #above: Gap
  readonly #below: Gap

  constructor(serial: number, revision: number, filter: RangeFilter, numbers: ArrayLike<number>) {
    this.serial = serial
    this.number = filter.number
    this.revision = revision
    this.#filter = filter
    this.bits = bitsFor(numbers.length)
    this.#above = new Gap(filter.above)
    this.#below = new Gap(filter.below)
    const above = filter.above ?? -Infinity
    const below = filter.below ?? Infinity
    for (let slot = 0; slot < numbers.length; slot++) {
      const number = numbers[slot]
      const matches = Number.isNaN(number) ? filter.orMissing : inRange(number, filter, above, below)
      if (matches) setBit(this.bits, slot)
      this.#above.note(number)
      this.#below.note(number)
    }
  }

  holdsFor(filter: NumericFilter): boolean {
    if ('anyOf' in filter) return false
    const isAlike = filter.number === this.#filter.number && filter.orMissing === this.#filter.orMissing
    return isAlike && this.#above.holdsFor(filter.above) && this.#below.holdsFor(filter.below)
  }
}

function inRange(value: number, filter: RangeFilter, above: number, below: number): boolean {
  return (filter.above === null || value > above) && value <= below
}

/** The bounds that split the values like `bound`: from the greatest value not above it to the next value. */
class Gap {
  readonly #bound: number | null
  #from = -Infinity
  #to = Infinity

  constructor(bound: number | null) {
    this.#bound = bound
  }

  /** Narrows the gap by a value of a document. */
  note(value: number): void {
    if (this.#bound === null) return
    if (value <= this.#bound) this.#from = Math.max(this.#from, value)
    else if (value > this.#bound) this.#to = Math.min(this.#to, value)
  }

  /** Tells whether `bound` lies in the gap. */
  holdsFor(bound: number | null): boolean {
    if (this.#bound === null || bound === null) return this.#bound === bound
    return bound >= this.#from && bound < this.#to
  }
}
