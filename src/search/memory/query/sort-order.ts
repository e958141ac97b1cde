import type { Sort } from '../../engine.ts'
import { countBits, hasBit } from '../columns/bitset.ts'
import type { SegmentFilters } from './filters.ts'
import type { Segment } from '../columns/segment.ts'

/** The order that a request sorts by. Documents without a value come last in both directions. */
export class SortOrder {
  /** By segment and slot, the value that is compared. */
  readonly #keys: readonly ArrayLike<number | string>[]
  readonly #sign: number

  constructor(segments: readonly Segment[], filters: readonly SegmentFilters[], sort: Sort) {
    this.#sign = sort.descending ? -1 : 1
    this.#keys = segments.map((segment, part) =>
      'number' in sort ? numbersFor(segment, filters[part], sort) : segment.sortTexts,
    )
  }

  /**
   * Returns a number below 0 if the first document comes before the second, above 0 if after, 0 if relevance decides.
   */
  compare(partA: number, slotA: number, partB: number, slotB: number): number {
    const a = this.#keys[partA][slotA]
    const b = this.#keys[partB][slotB]
    if (a === b) return 0
    // A missing number is NaN, which differs from itself.
    const isMissing = a !== a || a === ''
    if (isMissing || b !== b || b === '') return isMissing ? Number(b === b && b !== '') : -1
    return a < b ? -this.#sign : this.#sign
  }
}

function numbersFor(
  segment: Segment,
  filters: SegmentFilters,
  { number, instead }: Extract<Sort, { number: string }>,
): ArrayLike<number> {
  const own = segment.numbersOf(number)
  if (instead === undefined) return own
  const replaced = filters.matching([instead.where], countBits)
  if (replaced.count === 0) return own
  const others = segment.numbersOf(instead.field)
  return Float64Array.from(own, (value, slot) => (hasBit(replaced.bits, slot) ? others[slot] : value))
}
