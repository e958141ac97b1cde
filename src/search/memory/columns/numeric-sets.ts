/** Sets of slots whose number is in a range or in a list, each found in one pass over the segment's numbers. */
import type { Filter, NumberListFilter } from '../../engine.ts'
import { type Bits, bitsFor, setBit } from './bitset.ts'
import type { Segment } from './segment.ts'

/**
 * Sets kept per segment; the least recently used is dropped first. One search has fewer: 16 conditions of its filter
 * and those of the rules of its sites, with two sets for each condition on a price.
 */
const SETS_MAX = 512
/** Of one set, beside its bits. */
const SET_BYTES = 400

export type NumericFilter = Extract<Filter, { number: string }>
type RangeFilter = Exclude<NumericFilter, NumberListFilter>

interface NumericSet {
  /** The same for equal sets, so it stands for the set in a key. */
  readonly serial: number
  /** Includes dead slots. */
  readonly bits: Bits
  readonly heapBytes: number
  holdsFor(filter: NumericFilter): boolean
}

/** The sets of one segment, valid until it changes. */
export class NumericSets {
  readonly #segment: Segment
  /** The least recently used first. */
  #sets: NumericSet[] = []
  #nextSerial = 0

  constructor(segment: Segment) {
    this.#segment = segment
  }

  get count(): number {
    return this.#sets.length
  }

  /** Approximate: what lies on the heap beside the bits. */
  get heapBytes(): number {
    return this.#sets.reduce((sum, set) => sum + set.heapBytes, 0)
  }

  forget(): void {
    this.#sets = []
  }

  of(filter: NumericFilter): NumericSet {
    const wanted = 'anyOf' in filter ? { ...filter, anyOf: sorted(filter.anyOf) } : filter
    const at = this.#sets.findLastIndex((set) => set.holdsFor(wanted))
    const [held] = at < 0 ? [] : this.#sets.splice(at, 1)
    const set = held ?? this.#make(wanted)
    this.#sets.push(set)
    if (this.#sets.length > SETS_MAX) this.#sets.shift()
    return set
  }

  #make(filter: NumericFilter): NumericSet {
    const numbers = this.#segment.numbersOf(filter.number)
    const serial = this.#nextSerial++
    return 'anyOf' in filter ? new NumberList(serial, filter, numbers) : new Range(serial, filter, numbers)
  }
}

function sorted(numbers: readonly number[]): number[] {
  return Array.from(Float64Array.from(numbers).sort())
}

/** The set of a list of numbers in ascending order. */
class NumberList implements NumericSet {
  readonly serial: number
  readonly bits: Bits
  readonly #filter: NumberListFilter

  constructor(serial: number, filter: NumberListFilter, numbers: ArrayLike<number>) {
    this.serial = serial
    this.#filter = filter
    this.bits = bitsFor(numbers.length)
    const wanted = Float64Array.from(filter.anyOf)
    const last = wanted.length - 1
    for (let slot = 0; slot < numbers.length; slot++) {
      const number = numbers[slot]
      if (!(number >= wanted[0] && number <= wanted[last])) continue
      let from = 0
      let to = last
      while (from < to) {
        const middle = (from + to) >>> 1
        if (wanted[middle] < number) from = middle + 1
        else to = middle
      }
      if (wanted[from] === number) setBit(this.bits, slot)
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

/** The set of a range, and how far each bound may move without changing it. */
class Range implements NumericSet {
  readonly serial: number
  readonly bits: Bits
  readonly heapBytes = SET_BYTES
  readonly #filter: RangeFilter
  readonly #above: Gap
  readonly #below: Gap

  constructor(serial: number, filter: RangeFilter, numbers: ArrayLike<number>) {
    this.serial = serial
    this.#filter = filter
    this.bits = bitsFor(numbers.length)
    this.#above = new Gap(filter.above)
    this.#below = new Gap(filter.below)
    const above = filter.above ?? -Infinity
    const below = filter.below ?? Infinity
    for (let slot = 0; slot < numbers.length; slot++) {
      const number = numbers[slot]
      const matches = number !== number ? filter.orMissing : inRange(number, filter, above, below)
      if (matches) setBit(this.bits, slot)
      this.#above.note(number)
      this.#below.note(number)
    }
  }

  holdsFor(filter: NumericFilter): boolean {
    if ('anyOf' in filter) return false
    const same = filter.number === this.#filter.number && filter.orMissing === this.#filter.orMissing
    return same && this.#above.holdsFor(filter.above) && this.#below.holdsFor(filter.below)
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

  note(value: number): void {
    if (this.#bound === null) return
    if (value <= this.#bound) this.#from = Math.max(this.#from, value)
    else if (value > this.#bound) this.#to = Math.min(this.#to, value)
  }

  holdsFor(bound: number | null): boolean {
    if (this.#bound === null || bound === null) return this.#bound === bound
    return bound >= this.#from && bound < this.#to
  }
}
