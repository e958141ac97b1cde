/** Counting the values of what qualified. */
import type { FacetRequest, Facets, IndexDefinition } from '../engine.ts'
import { type Bits, listBits } from './bitset.ts'
import type { FacetColumn } from './facet-column.ts'
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
  const listed = listAll(qualified)
  return {
    keys: keys.map(({ field, limit }) => countKeys(segments, qualified, listed, field, limit, groupCount)),
    numbers: numbers.map((wanted) => countNumbers(segments, listed, wanted, groupCount)),
  }
}

let room = new Uint32Array(SLOTS_MAX)

/** The slots of each set, ascending; good until the next call. */
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

function countKeys(
  segments: readonly Segment[],
  qualified: readonly Bits[],
  listed: readonly Uint32Array[],
  field: string,
  limit: number,
  groupCount: number | null,
): KeyFacet {
  const counts = new Map<string, number>()
  const seen = groupCount === null ? null : new Map<string, GroupSet>()
  for (const [part, segment] of segments.entries()) {
    const column = segment.facets[field]
    const slots = listed[part]
    const own = seen === null ? column.count(qualified[part], slots) : countGroups(segment, slots, column, seen)
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

/** How many groups that are not in the sets of `seen` have each value, by the value's number. */
function countGroups(
  { groups }: Segment,
  slots: Uint32Array,
  column: FacetColumn,
  seen: Map<string, GroupSet>,
): Uint32Array {
  const counts = new Uint32Array(column.values.length)
  const sets = column.values.map((value) => groupSet(seen, value))
  for (const slot of slots) {
    column.each(slot, (number) => {
      if (sets[number].add(groups[slot])) counts[number]++
    })
  }
  return counts
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
  listed: readonly Uint32Array[],
  { field, ranges }: FacetRequest['numbers'][number],
  groupCount: number | null,
): NumberFacet {
  const bounds = [{ above: null, below: null }, ...ranges].map(({ above, below }) => ({
    above: above ?? -Infinity,
    below: below ?? Infinity,
    groups: groupCount === null ? null : new GroupSet(),
    count: 0,
  }))
  // Ranges that follow each other hold a value once, which ends the look for it.
  const isChain = ranges.every(({ above, below }, i) => {
    const follows = i === 0 || (above !== null && above === ranges[i - 1].below)
    return follows && (above ?? -Infinity) <= (below ?? Infinity)
  })
  const [all, ...others] = bounds
  let min = Infinity
  let max = -Infinity
  for (const [part, segment] of segments.entries()) {
    const column = segment.numbers[field]
    const slots = listed[part]
    for (let i = 0; i < slots.length; i++) {
      const value = column[slots[i]]
      if (Number.isNaN(value)) continue
      if (value < min) min = value
      if (value > max) max = value
      add(all, segment, slots[i])
      for (let r = 0; r < others.length; r++) {
        if (value <= others[r].above || value > others[r].below) continue
        add(others[r], segment, slots[i])
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
