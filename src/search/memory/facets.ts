/** Counting the values of what qualified. */
import type { FacetRequest, Facets, IndexDefinition } from '../engine.ts'
import { type Bits, listBits } from './bitset.ts'
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
  return {
    keys: keys.map(({ field, limit }) => countKeys(segments, qualified, field, limit, groupCount)),
    numbers: numbers.map((wanted) => countNumbers(segments, qualified, wanted, groupCount)),
  }
}

const slots = new Uint32Array(SLOTS_MAX)

function countKeys(
  segments: readonly Segment[],
  qualified: readonly Bits[],
  field: string,
  limit: number,
  groupCount: number | null,
): KeyFacet {
  const counts = new Map<string, number>()
  const seen = groupCount === null ? null : new Map<string, GroupSet>()
  for (const [part, segment] of segments.entries()) {
    const column = segment.facets[field]
    const own = new Uint32Array(column.values.length)
    const groupsOf = seen === null ? null : column.values.map((value) => groupSet(seen, value))
    const found = listBits(qualified[part], slots)
    for (let i = 0; i < found; i++) {
      const slot = slots[i]
      column.each(slot, (number) => {
        if (groupsOf === null || groupsOf[number].add(segment.groups[slot])) own[number]++
      })
    }
    for (const [number, count] of own.entries()) {
      if (count === 0) continue
      const value = column.values[number]
      counts.set(value, (counts.get(value) ?? 0) + count)
    }
  }
  const sorted = Array.from(counts, ([value, count]) => ({ value, count }))
  sorted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return { field, values: sorted.slice(0, limit) }
}

/** Groups that were counted: each counts once for a value. */
class GroupSet {
  readonly #groups = new Set<number>()

  /** Whether the group is new. */
  add(group: number): boolean {
    const { size } = this.#groups
    return this.#groups.add(group).size > size
  }
}

function groupSet(sets: Map<string, GroupSet>, value: string): GroupSet {
  let set = sets.get(value)
  if (set === undefined) sets.set(value, (set = new GroupSet()))
  return set
}

/** Ranges and the total may overlap, so with groups each counts for itself. */
function countNumbers(
  segments: readonly Segment[],
  qualified: readonly Bits[],
  { field, ranges }: FacetRequest['numbers'][number],
  groupCount: number | null,
): NumberFacet {
  const bounds = [{ above: null, below: null }, ...ranges].map(({ above, below }) => ({
    above: above ?? -Infinity,
    below: below ?? Infinity,
    groups: groupCount === null ? null : new GroupSet(),
    count: 0,
  }))
  let min = Infinity
  let max = -Infinity
  for (const [part, segment] of segments.entries()) {
    const column = segment.numbers[field]
    const found = listBits(qualified[part], slots)
    for (let i = 0; i < found; i++) {
      const value = column[slots[i]]
      if (Number.isNaN(value)) continue
      if (value < min) min = value
      if (value > max) max = value
      for (const range of bounds) {
        if (value <= range.above || value > range.below) continue
        if (range.groups === null || range.groups.add(segment.groups[slots[i]])) range.count++
      }
    }
  }
  const [all, ...counted] = bounds
  const some = min <= max
  return {
    field,
    count: all.count,
    min: some ? min : null,
    max: some ? max : null,
    ranges: counted.map(({ count }) => count),
  }
}
