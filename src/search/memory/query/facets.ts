/** Counts the facets of a search: the values and numbers of its qualified documents, or of their groups. */
import { nameMatcher } from '../../suggest/begun-names.ts'
import type { Correction, FacetRequest, Facets, IndexDefinition } from '../../engine.ts'
import { wordsOfName } from '../../analysis/name-words.ts'
import { type Bits, countBits, hasBit, listBits } from '../columns/bitset.ts'
import type { FacetValues } from '../columns/facet-column.ts'
import { checkField, checkFilter, type SegmentFilters } from './filters.ts'
import { isProperty } from '../../indexing/property-values.ts'
import type { PropertyValues } from '../columns/property-column.ts'
import { firstSorted } from './first-sorted.ts'
import { type Segment, SLOTS_MAX } from '../columns/segment.ts'

type KeyFacet = Facets['keys'][number]
type NumberFacet = Facets['numbers'][number]

/**
 * Checks that each field may be counted.
 * @throws RangeError when the definition does not declare a field for this use
 */
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
interface FacetInput {
  readonly segments: readonly Segment[]
  readonly filters: readonly SegmentFilters[]
  readonly qualified: readonly Bits[]
  /** The index's facet values, by field. */
  readonly values: Readonly<Record<string, FacetValues>>
  /** Every group's number is below this one. Null if the search has no groups, so that documents are counted. */
  readonly groupCount: number | null
  /** Words of the query that stand for other words; empty if the request asks for no corrections. */
  readonly corrections: readonly Correction[]
}

export function countFacets(
  { segments, filters, qualified, values, groupCount, corrections }: FacetInput,
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
      // Most typed texts begin no value, and then there is nothing to count.
      const isBegunAt = (i: number): boolean => isBegun === null || isBegun(values[field].wordsOf(i))
      if (!names.some((_, i) => isBegunAt(i))) return { field, values: [] }
      const counts =
        groupCount === null
          ? countSlots(segments, qualified, listed, field, names.length)
          : countGroups(segments, listed, field, names.length)
      if (isBegun !== null) keepBegun(counts, isBegunAt)
      return { field, values: mostFrequent(counts, names, limit) }
    }),
    numbers: numbers.map((facet) => countNumbers(segments, filters, listed, facet, groupCount)),
  }
}

/** Memory for the slots of one search. */
let room = new Uint32Array(SLOTS_MAX)

/** Returns the slots of each set, ascending; valid until the next call. */
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

/** Memory for the counts of one field. */
let slotCounts = new Uint32Array(1_024)

/** Counts the slots that have each value, by the value's id; the counts are valid until the next call. */
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

/** Counts the groups that have each value, by the value's id. */
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
      facets[field].each(slot, (valueId) => {
        if (sets[valueId].add(groups[slot])) counts[valueId]++
      })
    }
  }
  return counts
}

/** Sets the count of each value to 0 that the typed text does not begin. */
function keepBegun(counts: Uint32Array, isBegunAt: (valueId: number) => boolean): void {
  for (let valueId = 0; valueId < counts.length; valueId++) {
    if (counts[valueId] > 0 && !isBegunAt(valueId)) counts[valueId] = 0
  }
}

/** Number of documents, or groups, with each value of a property; `names` are the values. */
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
  const propertyKeys = keys.filter(({ field }) => isProperty(field))
  if (propertyKeys.length === 0) return null
  const { values } = segments[0].properties!
  const propertyIds = propertyKeys.map(({ field }) => values.findProperty(field))
  const all = new Uint32Array(values.count)
  /** Pairs of a value and a group that are counted already, as value x number of groups + group. */
  const pairs = new Set<number>()
  for (const [part, { properties, groups }] of segments.entries()) {
    if (groupCount === null) {
      properties!.count(listed[part], all)
      continue
    }
    for (const slot of listed[part]) {
      properties!.each(slot, (valueId) => {
        if (!propertyIds.includes(values.propertyOf(valueId))) return
        const { size } = pairs
        if (pairs.add(valueId * groupCount + groups[slot]).size > size) all[valueId]++
      })
    }
  }
  return new Map(propertyKeys.map(({ field }, i) => [field, countsOf(values, propertyIds[i], all)]))
}

/** Returns the counts of one property's values. @param all counts of the values of all properties, by id */
function countsOf(values: PropertyValues, propertyId: number, all: Uint32Array): PropertyCounts {
  const counts: number[] = []
  const names: string[] = []
  for (let valueId = 0; valueId < all.length; valueId++) {
    if (all[valueId] === 0 || values.propertyOf(valueId) !== propertyId) continue
    const name = values.textOf(valueId)
    if (name === null) continue
    counts.push(all[valueId])
    names.push(name)
  }
  return { counts: Uint32Array.from(counts), names }
}

/** Returns the values with the highest counts, by code unit if counts are equal, without values whose count is 0. */
function mostFrequent(counts: Uint32Array, names: readonly string[], limit: number): KeyFacet['values'] {
  let length = 0
  for (let valueId = 0; valueId < counts.length; valueId++) if (counts[valueId] > 0) length++
  const valueIds = new Uint32Array(length)
  let at = 0
  for (let valueId = 0; valueId < counts.length; valueId++) if (counts[valueId] > 0) valueIds[at++] = valueId
  const compare = (a: number, b: number): number =>
    counts[b] - counts[a] || (names[a] < names[b] ? -1 : Number(a !== b))
  return Array.from(firstSorted(valueIds, limit, compare), (id) => ({ value: names[id], count: counts[id] }))
}

/** The groups that are counted already for one value or range. */
class GroupSet {
  readonly #groups = new Set<number>()

  /** Adds a group. @returns whether it is new */
  add(group: number): boolean {
    const { size } = this.#groups
    return this.#groups.add(group).size > size
  }
}

/**
 * Counts the documents, or groups, with a number, at all and in each range. Ranges may overlap, so each has its own
 * groups.
 */
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
  // In a chain of ranges without overlap, only one range contains a value, so the search for that range can stop.
  const isChain = ranges.every(({ above, below }, i) => {
    const follows = i === 0 || (above !== null && above === ranges[i - 1].below)
    return follows && (above ?? -Infinity) <= (below ?? Infinity)
  })
  const [all, ...others] = bounds
  let min = Infinity
  let max = -Infinity
  for (const [part, segment] of segments.entries()) {
    const column = segment.numbers[field] ?? null
    const propertyId = column === null ? segment.properties!.values.findProperty(field) : -1
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
            ? segment.properties!.numberAt(slot, propertyId)
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
  const hasValues = min <= max
  return {
    field,
    count: all.count,
    min: hasValues ? min : null,
    max: hasValues ? max : null,
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
