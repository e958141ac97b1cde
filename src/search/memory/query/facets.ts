/** Counts the values of qualified documents. */
import { nameMatcher } from '../../suggest/begun-names.ts'
import type { Correction, FacetRequest, Facets, IndexDefinition } from '../../engine.ts'
import { wordsOfName } from '../../analysis/name-words.ts'
import { type Bits, countBits, hasBit, listBits } from '../columns/bitset.ts'
import type { FacetValues } from '../columns/facet-column.ts'
import { checkField, checkFilter, type SegmentFilters } from './filters.ts'
import { isProperty } from '../../indexing/property-values.ts'
import type { PropertyValues } from '../columns/property-column.ts'
import { firstSorted } from './ranking.ts'
import { type Segment, SLOTS_MAX } from '../columns/segment.ts'

type KeyFacet = Facets['keys'][number]
type NumberFacet = Facets['numbers'][number]

/** @throws RangeError when the definition does not declare a field for this use */
export function checkFacets(definition: IndexDefinition, facets: FacetRequest): void {
  const { facetFields = [], numberFields } = definition
  for (const { field } of facets.keys) checkField(definition, field, facetFields, 'facet')
  for (const { field, instead } of facets.numbers) {
    for (const name of instead === undefined ? [field] : [field, instead.field]) {
      checkField(definition, name, numberFields, 'number')
    }
    if (instead !== undefined) checkFilter(definition, instead.where)
  }
}

/** The qualified documents. Segments, filters and sets are in the same order. */
interface Counted {
  readonly segments: readonly Segment[]
  readonly filters: readonly SegmentFilters[]
  readonly qualified: readonly Bits[]
  /** The index's facet values, by field. */
  readonly values: Readonly<Record<string, FacetValues>>
  /** Null if the search has no groups; every group's number is below it. */
  readonly groupCount: number | null
  /** Words of the query that stand for others; none if the request does not ask for them. */
  readonly corrections: readonly Correction[]
}

export function countFacets(
  { segments, filters, qualified, values, groupCount, corrections }: Counted,
  { keys, numbers }: FacetRequest,
): Facets {
  const listed = listAll(qualified)
  const properties = countProperties(segments, listed, keys, groupCount)
  return {
    keys: keys.map(({ field, limit, beginning }) => {
      const isBegun = beginning === undefined ? null : nameMatcher(beginning, corrections)
      const property = properties?.get(field)
      if (property !== undefined) {
        const counts = property.counts.slice()
        if (isBegun !== null) keepBegun(counts, (i) => isBegun(wordsOfName(property.names[i])))
        return { field, values: mostFrequent(counts, property.names, limit) }
      }
      const { names } = values[field]
      // Few typed texts begin a value, and then nothing need be counted.
      const isBegunAt = (i: number): boolean => isBegun === null || isBegun(values[field].wordsOf(i))
      if (!names.some((_, i) => isBegunAt(i))) return { field, values: [] }
      const counts =
        groupCount === null
          ? countSlots(segments, qualified, listed, field, names.length)
          : countGroups(segments, listed, field, names.length)
      if (isBegun !== null) keepBegun(counts, isBegunAt)
      return { field, values: mostFrequent(counts, names, limit) }
    }),
    numbers: numbers.map((wanted) => countNumbers(segments, filters, listed, wanted, groupCount)),
  }
}

let room = new Uint32Array(SLOTS_MAX)

/** The slots of each set, ascending; valid until the next call. */
function listAll(sets: readonly Bits[]): Uint32Array[] {
  const most = sets.reduce((sum, bits) => sum + bits.length * 32, 0)
  if (most > room.length) room = new Uint32Array(most)
  let at = 0
  return sets.map((bits) => {
    const slots = room.subarray(at, at + bits.length * 32)
    const count = listBits(bits, slots)
    at += count
    return slots.subarray(0, count)
  })
}

let slotCounts = new Uint32Array(1_024)

/** How many slots have each value, by the value's number; valid until the next call. */
function countSlots(
  segments: readonly Segment[],
  qualified: readonly Bits[],
  listed: readonly Uint32Array[],
  field: string,
  valueCount: number,
): Uint32Array {
  if (valueCount > slotCounts.length) slotCounts = new Uint32Array(2 * valueCount)
  const counts = slotCounts.subarray(0, valueCount).fill(0)
  for (const [part, { facets }] of segments.entries()) facets[field].count(qualified[part], listed[part], counts)
  return counts
}

/** Like `countSlots` for groups: each group counts once per value. */
function countGroups(
  segments: readonly Segment[],
  listed: readonly Uint32Array[],
  field: string,
  valueCount: number,
): Uint32Array {
  const counts = new Uint32Array(valueCount)
  const sets = Array.from(counts, () => new GroupSet())
  for (const [part, { facets, groups }] of segments.entries()) {
    for (const slot of listed[part]) {
      facets[field].each(slot, (number) => {
        if (sets[number].add(groups[slot])) counts[number]++
      })
    }
  }
  return counts
}

/** Sets the counts of other values to 0. */
function keepBegun(counts: Uint32Array, isBegunAt: (number: number) => boolean): void {
  for (let number = 0; number < counts.length; number++) {
    if (counts[number] > 0 && !isBegunAt(number)) counts[number] = 0
  }
}

/** How many documents, or groups, have each value of a property. */
interface PropertyCounts {
  readonly counts: Uint32Array
  readonly names: string[]
}

/** Counts the values of all properties among `keys`, in one pass over the documents; null if there are none. */
function countProperties(
  segments: readonly Segment[],
  listed: readonly Uint32Array[],
  keys: FacetRequest['keys'],
  groupCount: number | null,
): ReadonlyMap<string, PropertyCounts> | null {
  const wanted = keys.filter(({ field }) => isProperty(field))
  if (wanted.length === 0) return null
  const { values } = segments[0].properties!
  const numbers = wanted.map(({ field }) => values.findProperty(field))
  const all = new Uint32Array(values.count)
  /** Value x number of groups + group: each group counts once per value. */
  const seen = new Set<number>()
  for (const [part, { properties, groups }] of segments.entries()) {
    if (groupCount === null) {
      properties!.count(listed[part], all)
      continue
    }
    for (const slot of listed[part]) {
      properties!.each(slot, (number) => {
        if (!numbers.includes(values.propertyOf(number))) return
        const { size } = seen
        if (seen.add(number * groupCount + groups[slot]).size > size) all[number]++
      })
    }
  }
  return new Map(wanted.map(({ field }, i) => [field, countsOf(values, numbers[i], all)]))
}

/** The counts of one property's values. */
function countsOf(values: PropertyValues, property: number, all: Uint32Array): PropertyCounts {
  const counts: number[] = []
  const names: string[] = []
  for (let number = 0; number < all.length; number++) {
    if (all[number] === 0 || values.propertyOf(number) !== property) continue
    const name = values.textOf(number)
    if (name === null) continue
    counts.push(all[number])
    names.push(name)
  }
  return { counts: Uint32Array.from(counts), names }
}

/** The values with the highest counts, by code unit if counts are equal; values with a count of 0 are left out. */
function mostFrequent(counts: Uint32Array, names: readonly string[], limit: number): KeyFacet['values'] {
  let occurring = 0
  for (let number = 0; number < counts.length; number++) if (counts[number] > 0) occurring++
  const numbers = new Uint32Array(occurring)
  let at = 0
  for (let number = 0; number < counts.length; number++) if (counts[number] > 0) numbers[at++] = number
  const compare = (a: number, b: number): number =>
    counts[b] - counts[a] || (names[a] < names[b] ? -1 : Number(a !== b))
  return Array.from(firstSorted(numbers, limit, compare), (number) => ({ value: names[number], count: counts[number] }))
}

/** Remembers the groups that were counted, so each counts once per value. */
class GroupSet {
  readonly #groups = new Set<number>()

  /** Whether the group was not counted before. */
  add(group: number): boolean {
    const { size } = this.#groups
    return this.#groups.add(group).size > size
  }
}

/** Counts ranges and the total. They may overlap, so with groups each needs a set of its own. */
function countNumbers(
  segments: readonly Segment[],
  filters: readonly SegmentFilters[],
  listed: readonly Uint32Array[],
  { field, instead, ranges }: FacetRequest['numbers'][number],
  groupCount: number | null,
): NumberFacet {
  const bounds = [{ above: null, below: null }, ...ranges].map(({ above, below }) => ({
    above: above ?? -Infinity,
    below: below ?? Infinity,
    groups: groupCount === null ? null : new GroupSet(),
    count: 0,
  }))
  // Ranges without overlap contain a value only once, so the search for its range can stop.
  const isChain = ranges.every(({ above, below }, i) => {
    const follows = i === 0 || (above !== null && above === ranges[i - 1].below)
    return follows && (above ?? -Infinity) <= (below ?? Infinity)
  })
  const [all, ...others] = bounds
  let min = Infinity
  let max = -Infinity
  for (const [part, segment] of segments.entries()) {
    const column = segment.numbers[field] ?? null
    const property = column === null ? segment.properties!.values.findProperty(field) : -1
    const replaced = instead === undefined ? null : filters[part].matching([instead.where], countBits)
    const isReplaced = replaced !== null && replaced.count > 0
    const replacement = isReplaced ? segment.numbersOf(instead!.field) : column
    const slots = listed[part]
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]
      const value =
        isReplaced && hasBit(replaced.bits, slot)
          ? replacement[slot]
          : column === null
            ? segment.properties!.numberAt(slot, property)
            : column[slot]
      if (Number.isNaN(value)) continue
      if (value < min) min = value
      if (value > max) max = value
      add(all, segment, slot)
      for (let r = 0; r < others.length; r++) {
        if (value <= others[r].above || value > others[r].below) continue
        add(others[r], segment, slot)
        if (isChain) break
      }
    }
  }
  const some = min <= max
  return {
    field,
    count: all.count,
    min: some ? min : null,
    max: some ? max : null,
    ranges: others.map(({ count }) => count),
  }
}

interface RangeCount {
  readonly groups: GroupSet | null
  count: number
}

function add(range: RangeCount, segment: Segment, slot: number): void {
  if (range.groups === null || range.groups.add(segment.groups[slot])) range.count++
}
