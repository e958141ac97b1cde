import type { Bits } from './bitset.ts'
import { mapBytes, stringBytes } from './memory-size.ts'

const SLOTS_MIN = 64

/**
 * The values of a facet field that any segment of an index holds, with one number for each, so that counts of
 * segments add up without a look at the names. A number is used again once no segment holds its value.
 */
export class FacetValues {
  readonly names: string[] = []
  readonly #numbers = new Map<string, number>()
  /** How many slots hold each. */
  readonly #holders: number[] = []
  readonly #unused: number[] = []
  #textBytes = 0

  /** Approximate, and all of it on the heap. */
  get heapBytes(): number {
    return mapBytes(this.names.length) + this.names.length * 24 + this.#textBytes
  }

  /** The number of a value that one more slot holds. */
  take(value: string): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#unused.pop() ?? this.names.length
      this.#numbers.set(value, number)
      this.#textBytes += stringBytes(value)
      this.names[number] = value
      this.#holders[number] = 0
    }
    this.#holders[number]++
    return number
  }

  /** One slot less holds the value. */
  give(number: number): void {
    if (--this.#holders[number] > 0) return
    this.#numbers.delete(this.names[number])
    this.#textBytes -= stringBytes(this.names[number])
    this.names[number] = ''
    this.#unused.push(number)
  }
}

/** The values of a facet field by slot, so that counting walks what qualified and not what there is. */
export class FacetColumn {
  readonly #values: FacetValues
  /** One more than the number of each slot's first value; 0 where it has none. */
  #first = new Uint32Array(SLOTS_MIN)
  /** One more than the number that all first values have; 0 when there is none yet, -1 when they differ. */
  #common = 0
  /** How many slots have a value, and one more than the highest of them. */
  #filled = 0
  #end = 0
  /** The numbers of its other values, for the few slots that have several. */
  readonly #more = new Map<number, number[]>()
  #moreCount = 0

  constructor(values: FacetValues) {
    this.#values = values
  }

  get bytes(): number {
    return this.#first.byteLength + this.heapBytes
  }

  /** Approximate: of `bytes`, the lists of slots with several values. */
  get heapBytes(): number {
    return this.#more.size === 0 ? 0 : mapBytes(this.#more.size) + this.#more.size * 80 + this.#moreCount * 12
  }

  /** A slot's values may come in any order, each once. */
  add(slot: number, value: string): void {
    const number = this.#values.take(value)
    while (slot >= this.#first.length) {
      const larger = new Uint32Array(this.#first.length * 2)
      larger.set(this.#first)
      this.#first = larger
    }
    if (this.#first[slot] === 0) {
      this.#first[slot] = number + 1
      this.#common = this.#common === 0 || this.#common === number + 1 ? number + 1 : -1
      this.#filled++
      if (slot >= this.#end) this.#end = slot + 1
      return
    }
    const more = this.#more.get(slot)
    this.#moreCount++
    if (more === undefined) this.#more.set(slot, [number])
    else more.push(number)
  }

  /**
   * Adds to `counts`, by the value's number, how many slots of a set have each value.
   * @param slots the same set as a list in ascending order
   */
  count(bits: Bits, slots: Uint32Array, counts: Uint32Array): void {
    const first = this.#first
    let length = slots.length
    while (length > 0 && slots[length - 1] >= this.#end) length--
    if (this.#common > 0 && this.#filled === this.#end) {
      // Every slot has the one value, as a shop's language and site often do.
      counts[this.#common - 1] += length
    } else {
      for (let i = 0; i < length; i++) {
        const number = first[slots[i]]
        if (number !== 0) counts[number - 1]++
      }
    }
    for (const [slot, numbers] of this.#more) {
      if (((bits[slot >>> 5] >>> (slot & 31)) & 1) === 0) continue
      for (const number of numbers) counts[number]++
    }
  }

  /** Calls `visit` with the number of each of the slot's values. */
  each(slot: number, visit: (number: number) => void): void {
    const first = slot < this.#first.length ? this.#first[slot] : 0
    if (first === 0) return
    visit(first - 1)
    if (this.#more.size > 0) for (const number of this.#more.get(slot) ?? []) visit(number)
  }

  /** Gives all its values back. */
  free(): void {
    for (let slot = 0; slot < this.#end; slot++) this.each(slot, (number) => this.#values.give(number))
    this.#first = new Uint32Array(0)
    this.#more.clear()
    this.#moreCount = 0
    this.#end = 0
  }
}
