import type { Bits } from './bitset.ts'
import type { SnapshotReader, SnapshotWriter } from './checked-stream.ts'
import { wordsOfName } from '../../analysis/name-words.ts'
import { mapBytes, stringBytes } from './memory-size.ts'

const SLOTS_MIN = 64

/**
 * The values of a facet field in all segments of an index. Each value has an id, a small number, so counts of segments
 * are added without comparing names. An id is used again once no segment has its value.
 */
export class FacetValues {
  /** The values, by id; empty for an id that is not in use. */
  readonly names: string[] = []
  readonly #ids = new Map<string, number>()
  /** By id, the number of slots that have the value. */
  readonly #holders: number[] = []
  readonly #unused: number[] = []
  #textBytes = 0
  /** By id, the folded words of a value; filled as searches need them. */
  readonly #words: (readonly string[] | undefined)[] = []
  #wordBytes = 0

  /** Approximate bytes, all on the heap. */
  get heapBytes(): number {
    return mapBytes(this.names.length) + this.names.length * 24 + this.#textBytes + this.#wordBytes
  }

  /** Returns the folded words of a value (`wordsOfName`). */
  wordsOf(id: number): readonly string[] {
    const cached = this.#words[id]
    if (cached !== undefined) return cached
    const words = wordsOfName(this.names[id])
    this.#words[id] = words
    this.#wordBytes += bytesOf(words)
    return words
  }

  /** Counts one more slot that has the value. @returns the value's id */
  add(value: string): number {
    let id = this.#ids.get(value)
    if (id === undefined) {
      id = this.#unused.pop() ?? this.names.length
      this.#ids.set(value, id)
      this.#textBytes += stringBytes(value)
      this.names[id] = value
      this.#forgetWords(id)
      this.#holders[id] = 0
    }
    this.#holders[id]++
    return id
  }

  /** Counts one slot fewer that has the value. */
  remove(id: number): void {
    if (--this.#holders[id] > 0) return
    this.#ids.delete(this.names[id])
    this.#textBytes -= stringBytes(this.names[id])
    this.names[id] = ''
    this.#forgetWords(id)
    this.#unused.push(id)
  }

  /** Takes over values by id, before any slot has one. Then call `hold` for each slot and value, and `endRestore`. */
  restore(names: readonly string[]): void {
    for (const name of names) this.#holders[this.names.push(name) - 1] = 0
  }

  /** Counts one more slot that has a restored value. */
  hold(id: number): void {
    if (this.#holders[id]++ > 0) return
    this.#ids.set(this.names[id], id)
    this.#textBytes += stringBytes(this.names[id])
  }

  /** Ends `restore`: frees the ids of values that no slot has. */
  endRestore(): void {
    for (const [id, holders] of this.#holders.entries()) {
      if (holders > 0) continue
      this.names[id] = ''
      this.#unused.push(id)
    }
  }

  #forgetWords(id: number): void {
    this.#wordBytes -= bytesOf(this.#words[id] ?? [])
    this.#words[id] = undefined
  }
}

function bytesOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + 8 + stringBytes(word), 0)
}

/** The ids of a facet field's values by slot, so that counting visits only qualified documents. */
export class FacetColumn {
  readonly values: FacetValues
  /** By slot, the id of the first value, plus one; 0 without a value. */
  #first = new Uint32Array(SLOTS_MIN)
  /** The id that all first values share, plus one; 0 without values, -1 if they differ. */
  #common = 0
  /** Number of slots with a value. */
  #filled = 0
  /** The highest slot with a value, plus one. */
  #end = 0
  /** By slot, the ids of further values, for the few slots with several. */
  readonly #more = new Map<number, number[]>()
  #moreCount = 0

  constructor(values: FacetValues) {
    this.values = values
  }

  get bytes(): number {
    return this.#first.byteLength + this.heapBytes
  }

  /** Approximate part of `bytes` on the heap, for slots with several values. */
  get heapBytes(): number {
    return this.#more.size === 0 ? 0 : mapBytes(this.#more.size) + this.#more.size * 80 + this.#moreCount * 12
  }

  /** Adds a value to a slot. Values may come in any order, each once per slot. */
  add(slot: number, value: string): void {
    const id = this.values.add(value)
    while (slot >= this.#first.length) {
      const larger = new Uint32Array(Math.max(SLOTS_MIN, this.#first.length * 2))
      larger.set(this.#first)
      this.#first = larger
    }
    if (this.#first[slot] === 0) {
      this.#first[slot] = id + 1
      this.#common = this.#common === 0 || this.#common === id + 1 ? id + 1 : -1
      this.#filled++
      if (slot >= this.#end) this.#end = slot + 1
      return
    }
    const more = this.#more.get(slot)
    this.#moreCount++
    if (more === undefined) this.#more.set(slot, [id])
    else more.push(id)
  }

  /** Replaces the values of a slot. */
  replace(slot: number, values: ReadonlySet<string>): void {
    this.each(slot, (id) => this.values.remove(id))
    if (this.has(slot)) {
      this.#first[slot] = 0
      this.#filled--
      this.#moreCount -= this.#more.get(slot)?.length ?? 0
      this.#more.delete(slot)
    }
    for (const value of values) this.add(slot, value)
  }

  /** Returns a column with the same values. It takes over the counts: only the copy may be changed or freed then. */
  clone(): FacetColumn {
    const copy = new FacetColumn(this.values)
    copy.#first = this.#first.slice()
    copy.#common = this.#common
    copy.#filled = this.#filled
    copy.#end = this.#end
    for (const [slot, ids] of this.#more) copy.#more.set(slot, ids.slice())
    copy.#moreCount = this.#moreCount
    return copy
  }

  /**
   * Adds to `counts`, by the id of each value, the number of slots of a set that have it.
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
        const id = first[slots[i]]
        if (id !== 0) counts[id - 1]++
      }
    }
    for (const [slot, ids] of this.#more) {
      if (((bits[slot >>> 5] >>> (slot & 31)) & 1) === 0) continue
      for (const id of ids) counts[id]++
    }
  }

  /** Tells whether the slot has a value. */
  has(slot: number): boolean {
    return slot < this.#end && this.#first[slot] !== 0
  }

  /** Calls `visit` with the id of each of the slot's values. */
  each(slot: number, visit: (id: number) => void): void {
    const first = slot < this.#first.length ? this.#first[slot] : 0
    if (first === 0) return
    visit(first - 1)
    if (this.#more.size > 0) for (const id of this.#more.get(slot) ?? []) visit(id)
  }

  async save(to: SnapshotWriter): Promise<void> {
    await to.array(this.#first.subarray(0, this.#end))
    await to.numbers([this.#common, this.#filled])
    const more = [...this.#more].flatMap(([slot, ids]) => ids.flatMap((id) => [slot, id]))
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
      const ids = column.#more.get(more[at])
      if (ids === undefined) column.#more.set(more[at], [more[at + 1]])
      else ids.push(more[at + 1])
    }
    for (let slot = 0; slot < column.#end; slot++) column.each(slot, (id) => values.hold(id))
    return column
  }

  /** Removes all values. */
  free(): void {
    for (let slot = 0; slot < this.#end; slot++) this.each(slot, (id) => this.values.remove(id))
    this.#first = new Uint32Array(0)
    this.#more.clear()
    this.#moreCount = 0
    this.#end = 0
  }
}
