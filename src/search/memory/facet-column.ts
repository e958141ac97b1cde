import type { Bits } from './bitset.ts'

const SLOTS_MIN = 64

/** The values of a facet field by slot, so that counting walks what qualified and not what there is. */
export class FacetColumn {
  /** The values that occur; their places are their numbers. */
  readonly values: string[] = []
  readonly #numbers = new Map<string, number>()
  /** One more than the number of each slot's first value; 0 where it has none. */
  #first = new Uint32Array(SLOTS_MIN)
  /** How many slots have a value, and one more than the highest of them. */
  #filled = 0
  #end = 0
  /** The numbers of its other values, for the few slots that have several. */
  readonly #more = new Map<number, number[]>()

  /** Approximate memory. */
  get bytes(): number {
    return this.#first.byteLength + this.values.length * 120 + this.#more.size * 120
  }

  /** A slot's values may come in any order, each once. */
  add(slot: number, value: string): void {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.values.push(value) - 1
      this.#numbers.set(value, number)
    }
    while (slot >= this.#first.length) {
      const larger = new Uint32Array(this.#first.length * 2)
      larger.set(this.#first)
      this.#first = larger
    }
    if (this.#first[slot] === 0) {
      this.#first[slot] = number + 1
      this.#filled++
      if (slot >= this.#end) this.#end = slot + 1
      return
    }
    const more = this.#more.get(slot)
    if (more === undefined) this.#more.set(slot, [number])
    else more.push(number)
  }

  /**
   * How many slots of a set have each value, by the value's number.
   * @param slots the same set as a list in ascending order
   */
  count(bits: Bits, slots: Uint32Array): Uint32Array {
    const counts = new Uint32Array(this.values.length + 1)
    const first = this.#first
    let length = slots.length
    while (length > 0 && slots[length - 1] >= this.#end) length--
    if (this.values.length === 1 && this.#filled === this.#end) {
      // Every slot has the one value, as a shop's language and site often do.
      counts[1] = length
      return counts.subarray(1)
    }
    for (let i = 0; i < length; i++) counts[first[slots[i]]]++
    for (const [slot, numbers] of this.#more) {
      if (((bits[slot >>> 5] >>> (slot & 31)) & 1) === 0) continue
      for (const number of numbers) counts[number + 1]++
    }
    return counts.subarray(1)
  }

  /** Calls `visit` with the number of each of the slot's values. */
  each(slot: number, visit: (number: number) => void): void {
    const first = slot < this.#first.length ? this.#first[slot] : 0
    if (first === 0) return
    visit(first - 1)
    if (this.#more.size > 0) for (const number of this.#more.get(slot) ?? []) visit(number)
  }
}
