import { numberOfValue } from '../../indexing/property-values.ts'
import { type Bits, bitsFor, setBit } from './bitset.ts'
import { mapBytes, stringBytes } from './memory-size.ts'
import type { SnapshotReader, SnapshotWriter } from './checked-stream.ts'

const LENGTH_MIN = 64
/** A property, beside its name and its values. */
const PROPERTY_BYTES = 160

/** One property: its id, and the ids of its values. */
interface Property {
  readonly id: number
  /** Null stands for a value that is too long to be kept. */
  readonly values: Map<string | null, number>
}

/** All values by id: their texts, and the names of their properties; null for an id that is not in use. */
export interface NumberedValues {
  readonly texts: readonly (string | null)[]
  readonly names: readonly (string | null)[]
}

/**
 * The values of properties in all segments of an index. Each value has an id, a small number, which is used again once
 * no segment has the value. Each property has a map of its own, so that its name is not kept with each value.
 */
export class PropertyValues {
  readonly #properties = new Map<string, Property>()
  /** By id, the text of a value; null if the text is not kept. */
  readonly #texts: (string | null)[] = []
  /** By id of a value, the id of its property; -1 for an id that is not in use. */
  readonly #propertyOf: number[] = []
  /** By id, the value as a number; NaN if it is none. */
  readonly #amounts: number[] = []
  /** By id, the number of slots that have the value. */
  readonly #holders: number[] = []
  readonly #unused: number[] = []
  /** Names of properties, by id. */
  readonly #names: string[] = []
  readonly #unusedProperties: number[] = []
  #textBytes = 0

  /** Every id of a value is below this number. */
  get count(): number {
    return this.#texts.length
  }

  /** Approximate bytes, all on the heap. */
  get heapBytes(): number {
    let bytes = mapBytes(this.#properties.size) + this.#texts.length * 40 + this.#textBytes
    for (const { values } of this.#properties.values()) bytes += mapBytes(values.size)
    return bytes
  }

  /** Counts one more slot that has the value. @returns the value's id */
  add(name: string, value: string | null): number {
    const property = this.#properties.get(name) ?? this.#addProperty(name)
    let id = property.values.get(value)
    if (id === undefined) {
      id = this.#unused.pop() ?? this.#texts.length
      property.values.set(value, id)
      this.#textBytes += value === null ? 0 : stringBytes(value)
      this.#texts[id] = value
      this.#propertyOf[id] = property.id
      this.#amounts[id] = value === null ? NaN : numberOfValue(value)
      this.#holders[id] = 0
    }
    this.#holders[id]++
    return id
  }

  /** Counts one more slot that has the value. */
  hold(id: number): void {
    this.#holders[id]++
  }

  /** Counts one slot fewer that has the value. */
  release(id: number): void {
    if (--this.#holders[id] > 0) return
    const text = this.#texts[id]
    const owner = this.#propertyOf[id]
    const name = this.#names[owner]
    const { values } = this.#properties.get(name)!
    values.delete(text)
    this.#textBytes -= text === null ? 0 : stringBytes(text)
    this.#texts[id] = null
    this.#propertyOf[id] = -1
    this.#unused.push(id)
    if (values.size > 0) return
    this.#textBytes -= stringBytes(name) + PROPERTY_BYTES
    this.#properties.delete(name)
    this.#names[owner] = ''
    this.#unusedProperties.push(owner)
  }

  /** Returns the id of a value; -1 if no slot has it. */
  find(property: string, value: string): number {
    return this.#properties.get(property)?.values.get(value) ?? -1
  }

  /** Returns the id of a property; -1 if no slot has it. */
  findProperty(property: string): number {
    return this.#properties.get(property)?.id ?? -1
  }

  /** Returns the id of a value's property; -1 for an id that is not in use. */
  propertyOf(id: number): number {
    return this.#propertyOf[id]
  }

  /** Returns a value as a number; NaN if it is none. */
  amountOf(id: number): number {
    return this.#amounts[id]
  }

  /** Returns the text of a value; null if the text is not kept. */
  textOf(id: number): string | null {
    return this.#texts[id]
  }

  /** The present values, as `restore` takes them. */
  get numbered(): NumberedValues {
    const names = this.#propertyOf.map((property) => (property < 0 ? null : this.#names[property]))
    return { texts: this.#texts.slice(), names }
  }

  /** Takes over values by id, before any slot has one. Then call `hold` for each slot and value, and `endRestore`. */
  restore({ texts, names }: NumberedValues): void {
    for (const [id, name] of names.entries()) {
      const text = name === null ? null : texts[id]
      this.#texts.push(text)
      this.#holders.push(0)
      this.#amounts.push(text === null ? NaN : numberOfValue(text))
      if (name === null) {
        this.#propertyOf.push(-1)
        this.#unused.push(id)
        continue
      }
      const property = this.#properties.get(name) ?? this.#addProperty(name)
      property.values.set(text, id)
      this.#textBytes += text === null ? 0 : stringBytes(text)
      this.#propertyOf.push(property.id)
    }
  }

  /** Ends `restore`: frees the ids of values that no slot has. */
  endRestore(): void {
    for (const [id, property] of this.#propertyOf.entries()) {
      if (property < 0 || this.#holders[id] > 0) continue
      this.#holders[id] = 1
      this.release(id)
    }
  }

  #addProperty(name: string): Property {
    const property = { id: this.#unusedProperties.pop() ?? this.#names.length, values: new Map() }
    this.#properties.set(name, property)
    this.#names[property.id] = name
    this.#textBytes += stringBytes(name) + PROPERTY_BYTES
    return property
  }
}

/** The properties of the documents of a segment: four bytes for each value, and four for each document. */
export class PropertyColumn {
  readonly values: PropertyValues
  /** By slot, where its ids start in `#valueIds`, followed by the end of the last slot's ids. */
  #starts = new Uint32Array(LENGTH_MIN)
  /** The ids of the values of all slots, end to end. */
  #valueIds = new Uint32Array(LENGTH_MIN)
  #slots = 0

  constructor(values: PropertyValues) {
    this.values = values
  }

  get bytes(): number {
    return this.#starts.byteLength + this.#valueIds.byteLength
  }

  /**
   * Adds the next slot.
   * @param properties values by name; an empty list stands for a value that is too long to be kept
   */
  append(properties: Readonly<Record<string, readonly string[]>>): void {
    const ids: number[] = []
    for (const [name, values] of Object.entries(properties)) {
      if (values.length === 0) ids.push(this.values.add(name, null))
      for (const value of values) ids.push(this.values.add(name, value))
    }
    this.#append(ids)
  }

  /** Adds the next slot with the values of another segment's slot. */
  copy(from: PropertyColumn, slot: number): void {
    const ids = Array.from(from.#valueIds.subarray(from.#starts[slot], from.#starts[slot + 1]))
    for (const id of ids) this.values.hold(id)
    this.#append(ids)
  }

  /** Adds to `counts`, by the id of each value, the number of slots that have it. */
  count(slots: Uint32Array, counts: Uint32Array): void {
    const starts = this.#starts
    const ids = this.#valueIds
    for (let i = 0; i < slots.length; i++) {
      const end = starts[slots[i] + 1]
      for (let at = starts[slots[i]]; at < end; at++) counts[ids[at]]++
    }
  }

  /** Calls `visit` with the id of each of the slot's values. */
  each(slot: number, visit: (id: number) => void): void {
    const end = this.#starts[slot + 1]
    for (let at = this.#starts[slot]; at < end; at++) visit(this.#valueIds[at])
  }

  /** Returns the slots that have one of the values. */
  withAny(property: string, values: readonly string[]): Bits {
    const ids = new Set(values.map((value) => this.values.find(property, value)))
    return this.#slotsWhere((id) => ids.has(id))
  }

  /** Returns the slots that have the property. */
  withProperty(property: string): Bits {
    const propertyId = this.values.findProperty(property)
    return this.#slotsWhere((id) => this.values.propertyOf(id) === propertyId)
  }

  /** Returns by slot the property's first value that is a number; NaN without such a value. */
  numbersOf(property: string): Float64Array {
    const propertyId = this.values.findProperty(property)
    return Float64Array.from({ length: this.#slots }, (_, slot) => this.numberAt(slot, propertyId))
  }

  /** Returns the slot's first value of a property that is a number; NaN without such a value. */
  numberAt(slot: number, propertyId: number): number {
    const { values } = this
    const end = this.#starts[slot + 1]
    for (let at = this.#starts[slot]; at < end; at++) {
      if (values.propertyOf(this.#valueIds[at]) !== propertyId) continue
      const amount = values.amountOf(this.#valueIds[at])
      if (!Number.isNaN(amount)) return amount
    }
    return NaN
  }

  async save(to: SnapshotWriter): Promise<void> {
    await to.array(this.#starts.subarray(0, this.#slots + 1))
    await to.array(this.#valueIds.subarray(0, this.#starts[this.#slots]))
  }

  static async load(values: PropertyValues, from: SnapshotReader): Promise<PropertyColumn> {
    const column = new PropertyColumn(values)
    column.#starts = await from.array(Uint32Array)
    column.#valueIds = await from.array(Uint32Array)
    column.#slots = column.#starts.length - 1
    for (const id of column.#valueIds) values.hold(id)
    return column
  }

  /** Releases all values. */
  free(): void {
    for (let at = 0; at < this.#starts[this.#slots]; at++) this.values.release(this.#valueIds[at])
    this.#starts = new Uint32Array(1)
    this.#valueIds = new Uint32Array(0)
    this.#slots = 0
  }

  #append(ids: readonly number[]): void {
    const start = this.#starts[this.#slots]
    const end = start + ids.length
    if (this.#slots + 1 >= this.#starts.length) this.#starts = enlarged(this.#starts, this.#slots + 2)
    if (end > this.#valueIds.length) this.#valueIds = enlarged(this.#valueIds, end)
    this.#valueIds.set(ids, start)
    this.#starts[++this.#slots] = end
  }

  /** Returns the slots with a value whose id passes `matches`, which is called once for each id. */
  #slotsWhere(matches: (id: number) => boolean): Bits {
    const { count } = this.values
    const matching = new Uint8Array(count)
    for (let id = 0; id < count; id++) if (matches(id)) matching[id] = 1
    const bits = bitsFor(this.#slots)
    for (let slot = 0; slot < this.#slots; slot++) {
      const end = this.#starts[slot + 1]
      for (let at = this.#starts[slot]; at < end; at++) if (matching[this.#valueIds[at]] === 1) setBit(bits, slot)
    }
    return bits
  }
}

/** Returns a copy with half as much room again, and at least `least`; doubling would leave more of it unused. */
function enlarged(array: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, Math.ceil(array.length * 1.5)))
  larger.set(array)
  return larger
}
