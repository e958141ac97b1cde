import { numberOfValue } from '../../indexing/property-values.ts'
import { type Bits, bitsFor, setBit } from './bitset.ts'
import { mapBytes, stringBytes } from './memory-size.ts'
import type { SnapshotReader, SnapshotWriter } from './checked-stream.ts'

const LENGTH_MIN = 64
/** Least unused cells for which the ids of a column are moved together. */
const UNUSED_MIN = 1_024
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

/** The properties of the documents of a segment: four bytes for each value, and six for each document. */
export class PropertyColumn {
  readonly values: PropertyValues
  /** By slot, where its ids start in `#valueIds`. */
  #starts = new Uint32Array(LENGTH_MIN)
  /** By slot, the number of its ids. */
  #counts = new Uint16Array(LENGTH_MIN)
  /** The ids of the values of all slots. */
  #valueIds = new Uint32Array(LENGTH_MIN)
  /** Number of cells of `#valueIds` that are taken. */
  #used = 0
  /** Number of taken cells that no slot uses any more. */
  #unused = 0
  #slots = 0

  constructor(values: PropertyValues) {
    this.values = values
  }

  get bytes(): number {
    return this.#starts.byteLength + this.#counts.byteLength + this.#valueIds.byteLength
  }

  /**
   * Adds the next slot.
   * @param properties values by name; an empty list stands for a value that is too long to be kept
   */
  append(properties: Readonly<Record<string, readonly string[]>>): void {
    this.#append(this.#hold(properties))
  }

  /** Adds the next slot with the values of another segment's slot. */
  copy(from: PropertyColumn, slot: number): void {
    const ids = Array.from(from.#idsOf(slot))
    for (const id of ids) this.values.hold(id)
    this.#append(ids)
  }

  /**
   * Replaces the values of a slot.
   * @param properties as in `append`
   * @returns false, with nothing changed, where the slot has exactly these values in this order
   */
  replace(slot: number, properties: Readonly<Record<string, readonly string[]>>): boolean {
    const before = Array.from(this.#idsOf(slot))
    const ids = this.#hold(properties)
    for (const id of before) this.values.release(id)
    if (ids.length === before.length && ids.every((id, i) => id === before[i])) return false
    if (ids.length > before.length) {
      this.#unused += before.length
      this.#starts[slot] = this.#take(ids.length)
    } else this.#unused += before.length - ids.length
    this.#valueIds.set(ids, this.#starts[slot])
    this.#counts[slot] = ids.length
    if (this.#unused > UNUSED_MIN && this.#unused > this.#used / 2) this.#tidy()
    return true
  }

  /** Returns a column with the same values. It takes over the counts: only the copy may be changed or freed then. */
  clone(): PropertyColumn {
    const copy = new PropertyColumn(this.values)
    copy.#starts = this.#starts.slice()
    copy.#counts = this.#counts.slice()
    copy.#valueIds = this.#valueIds.slice()
    copy.#used = this.#used
    copy.#unused = this.#unused
    copy.#slots = this.#slots
    return copy
  }

  /** Adds to `counts`, by the id of each value, the number of slots that have it. */
  count(slots: Uint32Array, counts: Uint32Array): void {
    const starts = this.#starts
    const lengths = this.#counts
    const ids = this.#valueIds
    for (let i = 0; i < slots.length; i++) {
      const start = starts[slots[i]]
      const end = start + lengths[slots[i]]
      for (let at = start; at < end; at++) counts[ids[at]]++
    }
  }

  /** Calls `visit` with the id of each of the slot's values. */
  each(slot: number, visit: (id: number) => void): void {
    const start = this.#starts[slot]
    const end = start + this.#counts[slot]
    for (let at = start; at < end; at++) visit(this.#valueIds[at])
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
    const start = this.#starts[slot]
    const end = start + this.#counts[slot]
    for (let at = start; at < end; at++) {
      if (values.propertyOf(this.#valueIds[at]) !== propertyId) continue
      const amount = values.amountOf(this.#valueIds[at])
      if (!Number.isNaN(amount)) return amount
    }
    return NaN
  }

  async save(to: SnapshotWriter): Promise<void> {
    await to.array(this.#starts.subarray(0, this.#slots))
    await to.array(this.#counts.subarray(0, this.#slots))
    await to.array(this.#valueIds.subarray(0, this.#used))
    await to.numbers([this.#unused])
  }

  static async load(values: PropertyValues, from: SnapshotReader): Promise<PropertyColumn> {
    const column = new PropertyColumn(values)
    column.#starts = await from.array(Uint32Array)
    column.#counts = await from.array(Uint16Array)
    column.#valueIds = await from.array(Uint32Array)
    column.#used = column.#valueIds.length
    column.#unused = (await from.numbers())[0]
    column.#slots = column.#starts.length
    for (let slot = 0; slot < column.#slots; slot++) column.each(slot, (id) => values.hold(id))
    return column
  }

  /** Releases all values. */
  free(): void {
    for (let slot = 0; slot < this.#slots; slot++) this.each(slot, (id) => this.values.release(id))
    this.#starts = new Uint32Array(0)
    this.#counts = new Uint16Array(0)
    this.#valueIds = new Uint32Array(0)
    this.#used = 0
    this.#unused = 0
    this.#slots = 0
  }

  /** Counts one more slot for each value. @returns the ids of the values */
  #hold(properties: Readonly<Record<string, readonly string[]>>): number[] {
    const ids: number[] = []
    for (const [name, values] of Object.entries(properties)) {
      if (values.length === 0) ids.push(this.values.add(name, null))
      for (const value of values) ids.push(this.values.add(name, value))
    }
    return ids
  }

  #idsOf(slot: number): Uint32Array {
    return this.#valueIds.subarray(this.#starts[slot], this.#starts[slot] + this.#counts[slot])
  }

  #append(ids: readonly number[]): void {
    const slot = this.#slots++
    if (slot >= this.#starts.length) {
      this.#starts = enlarged(this.#starts, this.#slots)
      const counts = new Uint16Array(this.#starts.length)
      counts.set(this.#counts)
      this.#counts = counts
    }
    this.#starts[slot] = this.#take(ids.length)
    this.#counts[slot] = ids.length
    this.#valueIds.set(ids, this.#starts[slot])
  }

  /** Takes cells at the end of `#valueIds`. @returns the first of them */
  #take(cells: number): number {
    const start = this.#used
    this.#used += cells
    if (this.#used > this.#valueIds.length) this.#valueIds = enlarged(this.#valueIds, this.#used)
    return start
  }

  /** Moves the ids of all slots together. */
  #tidy(): void {
    const before = this.#valueIds
    this.#valueIds = new Uint32Array(this.#used - this.#unused)
    this.#used = 0
    this.#unused = 0
    for (let slot = 0; slot < this.#slots; slot++) {
      const start = this.#starts[slot]
      this.#starts[slot] = this.#take(this.#counts[slot])
      this.#valueIds.set(before.subarray(start, start + this.#counts[slot]), this.#starts[slot])
    }
  }

  /** Returns the slots with a value whose id passes `matches`, which is called once for each id. */
  #slotsWhere(matches: (id: number) => boolean): Bits {
    const { count } = this.values
    const matching = new Uint8Array(count)
    for (let id = 0; id < count; id++) if (matches(id)) matching[id] = 1
    const bits = bitsFor(this.#slots)
    for (let slot = 0; slot < this.#slots; slot++) {
      const start = this.#starts[slot]
      const end = start + this.#counts[slot]
      for (let at = start; at < end; at++) if (matching[this.#valueIds[at]] === 1) setBit(bits, slot)
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
