/** Evaluates filters to sets of slots, one segment at a time. */
import type { Filter, IndexDefinition, KeyFilter } from '../../engine.ts'
import { type Bits, bitsFor, fullBits, hasBit, intersect, setBit, unite } from '../columns/bitset.ts'
import { isProperty } from '../../indexing/property-values.ts'
import { NumericSets } from '../columns/numeric-sets.ts'
import type { Segment } from '../columns/segment.ts'
import type { SlotSet } from './view-memory.ts'

/** Sets that each segment caches; the least recently used set is dropped first. */
const SETS_MAX = 64

/** @throws RangeError when the definition does not declare a field of the filter */
export function checkFilter(definition: IndexDefinition, filter: Filter): void {
  if ('field' in filter) checkField(definition, filter.field, definition.keyFields, 'key')
  else if ('number' in filter) checkField(definition, filter.number, definition.numberFields, 'number')
  else if ('present' in filter) checkField(definition, filter.present, definition.facetFields ?? [], 'facet')
  else if ('all' in filter) for (const part of filter.all) checkFilter(definition, part)
  else if ('any' in filter) for (const part of filter.any) checkFilter(definition, part)
  else checkFilter(definition, filter.not)
}

/**
 * Checks that a field is among `fields`, or a property of an index that has properties.
 * @throws RangeError if it is neither
 */
export function checkField(definition: IndexDefinition, name: string, fields: readonly string[], use: string): void {
  if (fields.includes(name) || (definition.hasProperties && isProperty(name))) return
  throw new RangeError(`no ${use} field ${name}`)
}

/**
 * The cached sets of one segment, valid until documents are appended or die. The set of a range is reused while the range's
 * bounds move past no document's value, so "expires after now" stays cached as time passes.
 */
export class SegmentFilters {
  readonly #segment: Segment
  #revision = -1
  #sets = new Map<string, SlotSet>()
  readonly #numeric: NumericSets

  constructor(segment: Segment) {
    this.#segment = segment
    this.#numeric = new NumericSets(segment)
  }

  get bytes(): number {
    return (this.#sets.size + this.#numeric.count) * this.#segment.bitWords * 4 + this.heapBytes
  }

  /** Approximate part of `bytes` on the heap, for names of sets and counts of terms. */
  get heapBytes(): number {
    let bytes = this.#numeric.heapBytes
    for (const [key, { documentFrequencies, memory }] of this.#sets) {
      bytes += 400 + 2 * key.length + (documentFrequencies.size === 0 ? 0 : 100 * documentFrequencies.size)
      bytes += memory?.heapBytes ?? 0
    }
    return bytes
  }

  /** Empties the cache; the next search computes the sets again. */
  forget(): void {
    this.#sets.clear()
    this.#numeric.forget()
  }

  /** Returns the living slots that match all of `filters`. @param count counts the bits of a set */
  matching(filters: readonly Filter[], count: (bits: Bits) => number): SlotSet {
    this.#forgetIfChanged()
    const key = filters.map((filter) => this.#keyOf(filter)).join('&')
    const cached = this.#sets.get(key)
    if (cached !== undefined) {
      this.#sets.delete(key)
      this.#sets.set(key, cached)
      return cached
    }
    // The first filter, what the caller may see, is often the same, while the last one changes from search to search.
    const first = filters.slice(0, -1)
    const last = filters.at(-1)
    const within = first.length > 0 ? this.matching(first, count).bits : this.#segment.alive
    const bits = within.slice(0, this.#segment.bitWords)
    if (last !== undefined && !isEverything(last)) intersect(bits, this.#evaluate(last))
    const total = count(bits)
    const isWhole = total === this.#segment.slots
    const set: SlotSet = {
      bits,
      count: total,
      isWhole,
      lengthSum: null,
      partitionCounts: new Map(),
      documentFrequencies: new Map(),
      memory: null,
    }
    this.#sets.set(key, set)
    if (this.#sets.size > SETS_MAX) this.#sets.delete(this.#sets.keys().next().value!)
    return set
  }

  /**
   * Returns the slots in `within` that have one of the values, ascending. Not cached, since such values come seldom.
   */
  listed({ field, anyOf }: KeyFilter, within: Bits): number[] {
    const slots = new Set<number>()
    for (const value of anyOf)
      for (const slot of this.#slotsWith(field, value)) if (hasBit(within, slot)) slots.add(slot)
    return Array.from(slots).sort((a, b) => a - b)
  }

  /** Returns the slots in `within` that match. Not cached, since such filters come seldom. */
  among(filter: Filter, within: Bits): Bits {
    this.#forgetIfChanged()
    const bits = within.slice()
    intersect(bits, this.#evaluate(filter))
    return bits
  }

  #forgetIfChanged(): void {
    if (this.#revision === this.#segment.revision) return
    this.#revision = this.#segment.revision
    this.forget()
  }

  /**
   * Returns the cache key of a filter. Ranges with the same set share a key, whatever their bounds. The key names how
   * often values of its fields were replaced, so a set from before such a change is never found again.
   */
  #keyOf(filter: Filter): string {
    const revisionOf = (field: string): number => this.#segment.revisionOf(field)
    if ('field' in filter) return JSON.stringify([filter.field, revisionOf(filter.field), ...filter.anyOf.toSorted()])
    if ('number' in filter) return `#${this.#numeric.of(filter).serial}`
    if ('present' in filter) return `?${JSON.stringify([filter.present, revisionOf(filter.present)])}`
    if ('all' in filter) return `(${filter.all.map((part) => this.#keyOf(part)).join('&')})`
    if ('any' in filter) return `(${filter.any.map((part) => this.#keyOf(part)).join('|')}|)`
    return `!${this.#keyOf(filter.not)}`
  }

  /** Returns the matching slots, including dead ones. */
  #evaluate(filter: Filter): Bits {
    const slots = this.#segment.slots
    if ('field' in filter) return this.#withValue(filter.field, filter.anyOf)
    if ('number' in filter) return this.#numeric.of(filter).bits
    if ('present' in filter) return this.#withSome(filter.present)
    if ('all' in filter) {
      const bits = fullBits(slots)
      for (const part of filter.all) intersect(bits, this.#evaluate(part))
      return bits
    }
    if ('any' in filter) {
      const bits = bitsFor(slots)
      for (const part of filter.any) unite(bits, this.#evaluate(part))
      return bits
    }
    const bits = fullBits(slots)
    const without = this.#evaluate(filter.not)
    for (let i = 0; i < bits.length; i++) bits[i] &= ~without[i]
    return bits
  }

  #withSome(name: string): Bits {
    const { facets, properties, slots } = this.#segment
    if (isProperty(name)) return properties!.withProperty(name)
    const bits = bitsFor(slots)
    for (let slot = 0; slot < slots; slot++) if (facets[name].has(slot)) setBit(bits, slot)
    return bits
  }

  #withValue(field: string, values: readonly string[]): Bits {
    if (isProperty(field)) return this.#segment.properties!.withAny(field, values)
    const bits = bitsFor(this.#segment.slots)
    for (const value of values) for (const slot of this.#slotsWith(field, value)) setBit(bits, slot)
    return bits
  }

  /** Returns the slots that have the value, including dead ones. */
  #slotsWith(field: string, value: string): Uint32Array {
    return this.#segment.keys.slotsWith(field, value)
  }
}

/** Tells whether a filter matches every document. */
export function isEverything(filter: Filter): boolean {
  return 'all' in filter && filter.all.length === 0
}
