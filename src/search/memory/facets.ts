/** Counting the values of what qualified. */
import type { FacetRequest, Facets, IndexDefinition } from '../engine.ts'
import type { Bits } from './bitset.ts'
import { type Segment, SLOTS_MAX } from './segment.ts'

type KeyFacet = Facets['keys'][number]
type NumberFacet = Facets['numbers'][number]

/** @throws RangeError for a field that the definition does not declare for it */
export function checkFacets({ facetFields = [], numberFields }: IndexDefinition, facets: FacetRequest): void {
  for (const { field } of facets.keys) if (!facetFields.includes(field)) throw new RangeError(`no facet field ${field}`)
  for (const { field } of facets.numbers) {
    if (!numberFields.includes(field)) throw new RangeError(`no number field ${field}`)
  }
}

/** Numbers of documents, or of groups: each counts once for a value. */
class Counter {
  readonly #seen: Uint32Array | null
  #turn = 0

  /** @param groupCount null to count documents */
  constructor(groupCount: number | null) {
    this.#seen = groupCount === null ? null : new Uint32Array(groupCount)
  }

  /** Groups counted from now on have not been counted yet. */
  begin(): number {
    return ++this.#turn
  }

  /** Whether to count a document of this group in `turn`. */
  isNew(group: number, turn: number): boolean {
    if (this.#seen === null) return true
    if (this.#seen[group] === turn) return false
    this.#seen[group] = turn
    return true
  }

  get countsDocuments(): boolean {
    return this.#seen === null
  }
}

/**
 * @param qualified by segment
 * @param groupCount null when the search has no groups; numbers of groups are below it
 */
export function countFacets(
  segments: readonly Segment[],
  qualified: readonly Bits[],
  { keys, numbers }: FacetRequest,
  groupCount: number | null,
): Facets {
  const counter = new Counter(groupCount)
  return {
    keys: keys.map(({ field, limit }) => countKeys(segments, qualified, field, limit, counter)),
    numbers: numbers.map((wanted) => countNumbers(segments, qualified, wanted, counter)),
  }
}

const slots = new Uint32Array(SLOTS_MAX)

function countKeys(
  segments: readonly Segment[],
  qualified: readonly Bits[],
  field: string,
  limit: number,
  counter: Counter,
): KeyFacet {
  const counts = new Map<string, number>()
  for (const [value, places] of placesOf(segments, field)) {
    const turn = counter.begin()
    let count = 0
    for (const { part, id } of places) {
      const { keys, groups } = segments[part]
      const bits = qualified[part]
      const number = keys.read(id, slots)
      for (let i = 0; i < number; i++) {
        const slot = slots[i]
        if (((bits[slot >>> 5] >>> (slot & 31)) & 1) === 1 && counter.isNew(groups[slot], turn)) count++
      }
    }
    if (count > 0) counts.set(value, count)
  }
  const sorted = Array.from(counts, ([value, count]) => ({ value, count }))
  sorted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return { field, values: sorted.slice(0, limit) }
}

/** Where each value of a field occurs. A value is counted to its end before the next, so that a group counts once. */
function placesOf(segments: readonly Segment[], field: string): Map<string, { part: number; id: number }[]> {
  const places = new Map<string, { part: number; id: number }[]>()
  for (const [part, segment] of segments.entries()) {
    for (const { value, id } of segment.facetValues[field]) {
      const held = places.get(value)
      if (held === undefined) places.set(value, [{ part, id }])
      else held.push({ part, id })
    }
  }
  return places
}

/** Ranges and the total may overlap, so with groups each is a pass of its own. */
function countNumbers(
  segments: readonly Segment[],
  qualified: readonly Bits[],
  { field, ranges }: FacetRequest['numbers'][number],
  counter: Counter,
): NumberFacet {
  const values: number[] = []
  const groups: number[] = []
  for (const [part, segment] of segments.entries()) {
    const column = segment.numbers[field]
    const bits = qualified[part]
    for (let i = 0; i < bits.length; i++) {
      for (let word = bits[i]; word !== 0; word &= word - 1) {
        const slot = (i << 5) + 31 - Math.clz32(word & -word)
        if (Number.isNaN(column[slot])) continue
        values.push(column[slot])
        if (!counter.countsDocuments) groups.push(segment.groups[slot])
      }
    }
  }
  const countWithin = (above: number, below: number): number => {
    const turn = counter.begin()
    let count = 0
    for (let i = 0; i < values.length; i++) {
      if (values[i] > above && values[i] <= below && counter.isNew(groups[i], turn)) count++
    }
    return count
  }
  let min = Infinity
  let max = -Infinity
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  const some = values.length > 0
  return {
    field,
    count: countWithin(-Infinity, Infinity),
    min: some ? min : null,
    max: some ? max : null,
    ranges: ranges.map(({ above, below }) => countWithin(above ?? -Infinity, below ?? Infinity)),
  }
}
