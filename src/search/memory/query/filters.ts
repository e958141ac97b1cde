/** Evaluates filters to sets of slots, one segment at a time. */
import type { Partition } from '../../analysis/analysis.ts'
import type { Filter, IndexDefinition, KeyFilter } from '../../engine.ts'
import { type Bits, bitsFor, fullBits, hasBit, intersect, setBit, unite } from '../columns/bitset.ts'
import { isProperty } from '../../indexing/property-values.ts'
import { NumericSets } from '../columns/numeric-sets.ts'
import { keyTerm, type Segment } from '../columns/segment.ts'
import type { ViewMemory } from './view-memory.ts'

const NO_SLOTS = new Uint32Array(0)

/** Sets cached per segment; the least recently used is dropped first. */
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

/** A set of living slots, with keyword statistics over it that are computed when needed. */
export interface SlotSet {
  readonly bits: Bits
  readonly count: number
  /** Whether the set has every slot of the segment. */
  readonly whole: boolean
  /** Sum of the weighted lengths; null until computed. */
  lengthSum: number | null
  /** How many documents of the set are in a partition; empty until computed. */
  readonly partitionCounts: Map<Partition, number>
  /** How many documents in the set contain a term, by partition and term. */
  readonly documentFrequencies: Map<string, number>
  /** What was found before among this set and those of the other segments; null until asked for. */
  memory: ViewMemory | null
}

/**
 * The cached sets of one segment, valid until it changes. The set of a range is reused while its bounds move past no
 * document's value, so "expires after now" stays cached as time passes.
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
    return (this.#sets.size + this.#numeric.count) * this.#segment.words * 4 + this.heapBytes
  }

  /** Approximate: the part of `bytes` on the heap, for names of sets and counts of terms. */
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

  /** The living slots that match all of `filters`. */
  matching(filters: readonly Filter[], count: (bits: Bits) => number): SlotSet {
    this.#forgetIfChanged()
    const key = filters.map((filter) => this.#keyOf(filter)).join('&')
    const held = this.#sets.get(key)
    if (held !== undefined) {
      this.#sets.delete(key)
      this.#sets.set(key, held)
      return held
    }
    // What the caller may see comes first and is held, while the filter behind it changes from search to search.
    const first = filters.slice(0, -1)
    const last = filters.at(-1)
    const within = first.length > 0 ? this.matching(first, count).bits : this.#segment.alive
    const bits = within.slice(0, this.#segment.words)
    if (last !== undefined && !isEverything(last)) intersect(bits, this.#evaluate(last))
    const total = count(bits)
    const whole = total === this.#segment.slots
    const set: SlotSet = {
      bits,
      count: total,
      whole,
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
   * The slots in `within` that have one of the values, ascending. For rare values that are seldom asked for, so not
   * cached.
   */
  listed({ field, anyOf }: KeyFilter, within: Bits): number[] {
    const found = new Set<number>()
    for (const value of anyOf)
      for (const slot of this.#slotsWith(field, value)) if (hasBit(within, slot)) found.add(slot)
    return Array.from(found).sort((a, b) => a - b)
  }

  /** The slots in `within` that match, for filters that are seldom asked for, so not cached. */
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

  /** The cache key of a filter. Ranges with the same set share a key, whatever their bounds. */
  #keyOf(filter: Filter): string {
    if ('field' in filter) return JSON.stringify([filter.field, ...filter.anyOf.toSorted()])
    if ('number' in filter) return `#${this.#numeric.of(filter).serial}`
    if ('present' in filter) return `?${JSON.stringify(filter.present)}`
    if ('all' in filter) return `(${filter.all.map((part) => this.#keyOf(part)).join('&')})`
    if ('any' in filter) return `(${filter.any.map((part) => this.#keyOf(part)).join('|')}|)`
    return `!${this.#keyOf(filter.not)}`
  }

  /** Matching slots, including dead ones. */
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

  /** Slots that have the value, including dead ones. */
  #slotsWith(field: string, value: string): Uint32Array {
    const { keys } = this.#segment
    const id = keys.find(keyTerm(field, value))
    if (id < 0) return NO_SLOTS
    const found = new Uint32Array(keys.count(id))
    keys.read(id, found)
    return found
  }
}

/** Whether everything matches a filter. */
export function isEverything(filter: Filter): boolean {
  return 'all' in filter && filter.all.length === 0
}
