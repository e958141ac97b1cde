import type { Bits } from './bitset.ts'
import type { SnapshotReader, SnapshotWriter } from './checked-stream.ts'
import { wordsOfName } from '../../analysis/name-words.ts'
import { mapBytes, stringBytes } from './memory-size.ts'

const SLOTS_MIN = 64

/**
 * Numbers the values of a facet field across the segments of an index, so counts of segments are added without
 * comparing names. A number is reused once no segment has its value.
 */
export class FacetValues {
  readonly names: string[] = []
  readonly #numbers = new Map<string, number>()
  /** How many slots have each value. */
  readonly #holders: number[] = []
  readonly #unused: number[] = []
  #textBytes = 0
  /** The folded words of values as far as they were asked for, by number, and their bytes. */
  readonly #words: (readonly string[] | undefined)[] = []
  #wordBytes = 0

  /** Approximate; all of it on the heap. */
  get heapBytes(): number {
    return mapBytes(this.names.length) + this.names.length * 24 + this.#textBytes + this.#wordBytes
  }

  /** The folded words of a value, as in `wordsOfName`. */
  wordsOf(number: number): readonly string[] {
    const held = this.#words[number]
    if (held !== undefined) return held
    const words = wordsOfName(this.names[number])
    this.#words[number] = words
    this.#wordBytes += bytesOf(words)
    return words
  }

  /** The number of the value, for one more slot that has it. */
  add(value: string): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#unused.pop() ?? this.names.length
      this.#numbers.set(value, number)
      this.#textBytes += stringBytes(value)
      this.names[number] = value
      this.#forgetWords(number)
      this.#holders[number] = 0
    }
    this.#holders[number]++
    return number
  }

  /** One slot fewer has the value. */
  remove(number: number): void {
    if (--this.#holders[number] > 0) return
    this.#numbers.delete(this.names[number])
    this.#textBytes -= stringBytes(this.names[number])
    this.names[number] = ''
    this.#forgetWords(number)
    this.#unused.push(number)
  }

  /** Takes over values by number, before any slot has one; then each slot that has one holds it. */
  restore(names: readonly string[]): void {
    for (const name of names) this.#holders[this.names.push(name) - 1] = 0
  }

  /** One slot more has the value, of those that were restored. */
  hold(number: number): void {
    if (this.#holders[number]++ > 0) return
    this.#numbers.set(this.names[number], number)
    this.#textBytes += stringBytes(this.names[number])
  }

  /** Ends `restore`: the numbers of values that no slot has are used again. */
  restored(): void {
    for (const [number, holders] of this.#holders.entries()) {
      if (holders > 0) continue
      this.names[number] = ''
      this.#unused.push(number)
    }
  }

  #forgetWords(number: number): void {
    this.#wordBytes -= bytesOf(this.#words[number] ?? [])
    this.#words[number] = undefined
  }
}

function bytesOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + 8 + stringBytes(word), 0)
}

/** The values of a facet field by slot, so counting visits only qualified documents. */
export class FacetColumn {
  readonly values: FacetValues
  /** The number of each slot's first value, plus one; 0 for none. */
  #first = new Uint32Array(SLOTS_MIN)
  /** The number that all first values share, plus one; 0 without values, -1 if they differ. */
  #common = 0
  /** How many slots have a value, and the highest of them plus one. */
  #filled = 0
  #end = 0
  /** The numbers of further values, for the few slots with several. */
  readonly #more = new Map<number, number[]>()
  #moreCount = 0

  constructor(values: FacetValues) {
    this.values = values
  }

  get bytes(): number {
    return this.#first.byteLength + this.heapBytes
  }

  /** Approximate: the part of `bytes` on the heap, for slots with several values. */
  get heapBytes(): number {
    return this.#more.size === 0 ? 0 : mapBytes(this.#more.size) + this.#more.size * 80 + this.#moreCount * 12
  }

  /** Adds a value to a slot. Values may come in any order, each once per slot. */
  add(slot: number, value: string): void {
    const number = this.values.add(value)
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
   * Adds to `counts`, by the number of each value, how many slots of a set have it.
   * @param slots the same set as an ascending list
   */
  count(bits: Bits, slots: Uint32Array, counts: Uint32Array): void {
    const first = this.#first
    let length = slots.length
    while (length > 0 && slots[length - 1] >= this.#end) length--
    if (this.#common > 0 && this.#filled === this.#end) {
      // Every slot has the same value, as is common for a shop's language and site.
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

  /** Whether the slot has a value. */
  has(slot: number): boolean {
    return slot < this.#end && this.#first[slot] !== 0
  }

  /** Calls `visit` with the number of each of the slot's values. */
  each(slot: number, visit: (number: number) => void): void {
    const first = slot < this.#first.length ? this.#first[slot] : 0
    if (first === 0) return
    visit(first - 1)
    if (this.#more.size > 0) for (const number of this.#more.get(slot) ?? []) visit(number)
  }

  async save(to: SnapshotWriter): Promise<void> {
    await to.array(this.#first.subarray(0, this.#end))
    await to.numbers([this.#common, this.#filled])
    const more = [...this.#more].flatMap(([slot, numbers]) => numbers.flatMap((number) => [slot, number]))
    await to.array(Uint32Array.from(more))
  }

  static async load(values: FacetValues, from: SnapshotReader): Promise<FacetColumn> {
    const column = new FacetColumn(values)
    column.#first = await from.array(Uint32Array)
    const [common, filled] = await from.numbers()
    const more = await from.array(Uint32Array)
    column.#common = common
    column.#filled = filled
    column.#end = column.#first.length
    column.#moreCount = more.length / 2
    for (let at = 0; at < more.length; at += 2) {
      const numbers = column.#more.get(more[at])
      if (numbers === undefined) column.#more.set(more[at], [more[at + 1]])
      else numbers.push(more[at + 1])
    }
    for (let slot = 0; slot < column.#end; slot++) column.each(slot, (number) => values.hold(number))
    return column
  }

  /** Releases all its values. */
  free(): void {
    for (let slot = 0; slot < this.#end; slot++) this.each(slot, (number) => this.values.remove(number))
    this.#first = new Uint32Array(0)
    this.#more.clear()
    this.#moreCount = 0
    this.#end = 0
  }
}
