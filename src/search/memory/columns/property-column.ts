import { numberOfValue } from '../../indexing/property-values.ts'
import { type Bits, bitsFor, setBit } from './bitset.ts'
import { mapBytes, stringBytes } from './memory-size.ts'
import type { SnapshotReader, SnapshotWriter } from './checked-stream.ts'

const LENGTH_MIN = 64
/** A property, beside its name and its values. */
const PROPERTY_BYTES = 160

/** One property: its number, and the numbers of its values. */
interface Property {
  readonly number: number
  /** A value that is too long to be kept is null. */
  readonly values: Map<string | null, number>
}

/** All values by number: their texts, and the names of their properties; null for a number that is not in use. */
export interface NumberedValues {
  readonly texts: readonly (string | null)[]
  readonly names: readonly (string | null)[]
}

/**
 * Numbers the values of properties across the segments of an index. A number is reused once no segment has its value.
 * Each property has a map of its own, so that its name is not kept with each value.
 */
export class PropertyValues {
  readonly #properties = new Map<string, Property>()
  /** By number: the text, the property's number, what the value is as a number, and how many slots have it. */
  readonly #texts: (string | null)[] = []
  readonly #propertyOf: number[] = []
  readonly #amounts: number[] = []
  readonly #holders: number[] = []
  readonly #unused: number[] = []
  /** By the number of a property. */
  readonly #names: string[] = []
  readonly #unusedProperties: number[] = []
  #textBytes = 0

  /** Every number is below this. */
  get count(): number {
    return this.#texts.length
  }

  /** Approximate; all of it on the heap. */
  get heapBytes(): number {
    let bytes = mapBytes(this.#properties.size) + this.#texts.length * 40 + this.#textBytes
    for (const { values } of this.#properties.values()) bytes += mapBytes(values.size)
    return bytes
  }

  /** The number of a property's value, for one more slot that has it. */
  add(name: string, value: string | null): number {
    const property = this.#properties.get(name) ?? this.#addProperty(name)
    let number = property.values.get(value)
    if (number === undefined) {
      number = this.#unused.pop() ?? this.#texts.length
      property.values.set(value, number)
      this.#textBytes += value === null ? 0 : stringBytes(value)
      this.#texts[number] = value
      this.#propertyOf[number] = property.number
      this.#amounts[number] = value === null ? NaN : numberOfValue(value)
      this.#holders[number] = 0
    }
    this.#holders[number]++
    return number
  }

  /** One slot more has the value. */
  hold(number: number): void {
    this.#holders[number]++
  }

  /** One slot fewer has the value. */
  release(number: number): void {
    if (--this.#holders[number] > 0) return
    const text = this.#texts[number]
    const owner = this.#propertyOf[number]
    const name = this.#names[owner]
    const { values } = this.#properties.get(name)!
    values.delete(text)
    this.#textBytes -= text === null ? 0 : stringBytes(text)
    this.#texts[number] = null
    this.#propertyOf[number] = -1
    this.#unused.push(number)
    if (values.size > 0) return
    this.#textBytes -= stringBytes(name) + PROPERTY_BYTES
    this.#properties.delete(name)
    this.#names[owner] = ''
    this.#unusedProperties.push(owner)
  }

  /** The number of a value; -1 if no slot has it. */
  find(property: string, value: string): number {
    return this.#properties.get(property)?.values.get(value) ?? -1
  }

  /** The number of a property; -1 if no slot has it. */
  findProperty(property: string): number {
    return this.#properties.get(property)?.number ?? -1
  }

  /** The number of the property that a value is of; -1 for a number that is not in use. */
  propertyOf(number: number): number {
    return this.#propertyOf[number]
  }

  /** What a value is as a number; NaN if it is none. */
  amountOf(number: number): number {
    return this.#amounts[number]
  }

  /** The text of a value; null if it is not kept. */
  textOf(number: number): string | null {
    return this.#texts[number]
  }

  /** What `restore` takes, as it is now. */
  get numbered(): NumberedValues {
    const names = this.#propertyOf.map((property) => (property < 0 ? null : this.#names[property]))
    return { texts: this.#texts.slice(), names }
  }

  /** Takes over values by number, before any slot has one; then each slot that has one holds it. */
  restore({ texts, names }: NumberedValues): void {
    for (const [number, name] of names.entries()) {
      const text = name === null ? null : texts[number]
      this.#texts.push(text)
      this.#holders.push(0)
      this.#amounts.push(text === null ? NaN : numberOfValue(text))
      if (name === null) {
        this.#propertyOf.push(-1)
        this.#unused.push(number)
        continue
      }
      const property = this.#properties.get(name) ?? this.#addProperty(name)
      property.values.set(text, number)
      this.#textBytes += text === null ? 0 : stringBytes(text)
      this.#propertyOf.push(property.number)
    }
  }

  /** Ends `restore`: the numbers of values that no slot has are used again. */
  restored(): void {
    for (const [number, property] of this.#propertyOf.entries()) {
      if (property < 0 || this.#holders[number] > 0) continue
      this.#holders[number] = 1
      this.release(number)
    }
  }

  #addProperty(name: string): Property {
    const property = { number: this.#unusedProperties.pop() ?? this.#names.length, values: new Map() }
    this.#properties.set(name, property)
    this.#names[property.number] = name
    this.#textBytes += stringBytes(name) + PROPERTY_BYTES
    return property
  }
}

/** The properties of the documents of a segment: four bytes for each value, and four for each document. */
export class PropertyColumn {
  readonly values: PropertyValues
  /** The first place of each slot in `#held`, followed by the end of the last one's. */
  #starts = new Uint32Array(LENGTH_MIN)
  #held = new Uint32Array(LENGTH_MIN)
  #slots = 0

  constructor(values: PropertyValues) {
    this.values = values
  }

  get bytes(): number {
    return this.#starts.byteLength + this.#held.byteLength
  }

  /** Adds the next slot. @param properties values by name; a name without values has one that is not kept */
  append(properties: Readonly<Record<string, readonly string[]>>): void {
    const numbers: number[] = []
    for (const [name, values] of Object.entries(properties)) {
      if (values.length === 0) numbers.push(this.values.add(name, null))
      for (const value of values) numbers.push(this.values.add(name, value))
    }
    this.#append(numbers)
  }

  /** Adds the next slot with the values of another segment's slot. */
  copy(from: PropertyColumn, slot: number): void {
    const numbers = Array.from(from.#held.subarray(from.#starts[slot], from.#starts[slot + 1]))
    for (const number of numbers) this.values.hold(number)
    this.#append(numbers)
  }

  /** Adds to `counts`, by the number of each value, how many of the slots have it. */
  count(slots: Uint32Array, counts: Uint32Array): void {
    const starts = this.#starts
    const held = this.#held
    for (let i = 0; i < slots.length; i++) {
      const end = starts[slots[i] + 1]
      for (let at = starts[slots[i]]; at < end; at++) counts[held[at]]++
    }
  }

  /** Calls `visit` with the number of each of the slot's values. */
  each(slot: number, visit: (number: number) => void): void {
    const end = this.#starts[slot + 1]
    for (let at = this.#starts[slot]; at < end; at++) visit(this.#held[at])
  }

  /** The slots that have one of the values. */
  withAny(property: string, wanted: readonly string[]): Bits {
    const numbers = new Set(wanted.map((value) => this.values.find(property, value)))
    return this.#slotsWhere((number) => numbers.has(number))
  }

  /** The slots that have the property. */
  withProperty(property: string): Bits {
    const wanted = this.values.findProperty(property)
    return this.#slotsWhere((number) => this.values.propertyOf(number) === wanted)
  }

  /** By slot, the property's first value that is a number; NaN without one. */
  numbersOf(property: string): Float64Array {
    const number = this.values.findProperty(property)
    return Float64Array.from({ length: this.#slots }, (_, slot) => this.numberAt(slot, number))
  }

  /** The slot's first value of a property that is a number; NaN without one. @param property its number */
  numberAt(slot: number, property: number): number {
    const { values } = this
    const end = this.#starts[slot + 1]
    for (let at = this.#starts[slot]; at < end; at++) {
      if (values.propertyOf(this.#held[at]) !== property) continue
      const amount = values.amountOf(this.#held[at])
      if (amount === amount) return amount
    }
    return NaN
  }

  async save(to: SnapshotWriter): Promise<void> {
    await to.array(this.#starts.subarray(0, this.#slots + 1))
    await to.array(this.#held.subarray(0, this.#starts[this.#slots]))
  }

  static async load(values: PropertyValues, from: SnapshotReader): Promise<PropertyColumn> {
    const column = new PropertyColumn(values)
    column.#starts = await from.array(Uint32Array)
    column.#held = await from.array(Uint32Array)
    column.#slots = column.#starts.length - 1
    for (const number of column.#held) values.hold(number)
    return column
  }

  /** Releases all its values. */
  free(): void {
    for (let at = 0; at < this.#starts[this.#slots]; at++) this.values.release(this.#held[at])
    this.#starts = new Uint32Array(1)
    this.#held = new Uint32Array(0)
    this.#slots = 0
  }

  #append(numbers: readonly number[]): void {
    const start = this.#starts[this.#slots]
    const end = start + numbers.length
    if (this.#slots + 1 >= this.#starts.length) this.#starts = enlarged(this.#starts, this.#slots + 2)
    if (end > this.#held.length) this.#held = enlarged(this.#held, end)
    this.#held.set(numbers, start)
    this.#starts[++this.#slots] = end
  }

  #slotsWhere(isWanted: (number: number) => boolean): Bits {
    const { count } = this.values
    const wanted = new Uint8Array(count)
    for (let number = 0; number < count; number++) if (isWanted(number)) wanted[number] = 1
    const bits = bitsFor(this.#slots)
    for (let slot = 0; slot < this.#slots; slot++) {
      const end = this.#starts[slot + 1]
      for (let at = this.#starts[slot]; at < end; at++) if (wanted[this.#held[at]] === 1) setBit(bits, slot)
    }
    return bits
  }
}

/** A copy with more room: half as much again, since doubling would leave more of it unused. */
function enlarged(array: Uint32Array<ArrayBuffer>, least: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(least, Math.ceil(array.length * 1.5)))
  larger.set(array)
  return larger
}
