/**
 * The values of the key fields of a segment's documents. Postings hold the values as they were appended. Values that
 * were replaced since lie beside the postings, until compaction writes both into the postings of a new segment.
 */
import { type Bits, bitsFor, hasBit, setBit } from './bitset.ts'
import type { SnapshotReader, SnapshotWriter } from './checked-stream.ts'
import { mapBytes, stringBytes } from './memory-size.ts'
import { Postings } from './postings.ts'

const SEPARATOR = '\u0000'
/** The count of a slot with this many values of a field, or more. */
const COUNT_MAX = 255
/** Share of the slots whose replaced values make the column worn. */
const WORN_SHARE = 0.25
/** Bytes of the replaced values of a slot in one field, beside the text of new terms. */
const REPLACED_BYTES = 160

/** Returns the term that stands for a value of a key field. */
export function keyTerm(field: string, value: string): string {
  return `${field}${SEPARATOR}${value}`
}

/** Returns the field and the value of a term. */
export function readKeyTerm(term: string): readonly [field: string, value: string] {
  const end = term.indexOf(SEPARATOR)
  return [term.slice(0, end), term.slice(end + 1)]
}

/** The replaced values of one field. */
interface Replaced {
  /** Slots whose postings no longer count. */
  readonly slots: Bits
  /** By such a slot, the terms of its values. */
  readonly terms: Map<number, readonly string[]>
}

export class KeyColumn {
  /** Most slots of the segment. */
  readonly slotsMax: number
  readonly #fields: readonly string[]
  readonly #postings: Postings
  /** By slot and field, how many values were appended. */
  #counts: Uint8Array<ArrayBuffer>
  #slots = 0
  readonly #replaced = new Map<string, Replaced>()
  /** By term, the slots that have it by a replacement. */
  readonly #later = new Map<string, Set<number>>()
  #replacedCount = 0
  #textBytes = 0

  constructor(
    fields: readonly string[],
    slotsMax: number,
    postings = new Postings(),
    counts = new Uint8Array(64 * fields.length),
  ) {
    this.#fields = fields
    this.slotsMax = slotsMax
    this.#postings = postings
    this.#counts = counts
  }

  /** The values as they were appended. */
  get postings(): Postings {
    return this.#postings
  }

  /** Bytes beside the postings. */
  get bytes(): number {
    return this.#counts.byteLength + this.#replaced.size * (this.slotsMax >>> 3) + this.heapBytes
  }

  /** Approximate part of `bytes` on the heap, for replaced values. */
  get heapBytes(): number {
    if (this.#replacedCount === 0) return 0
    return mapBytes(this.#later.size) + this.#replacedCount * REPLACED_BYTES + this.#textBytes
  }

  /** Whether so many values were replaced that a compaction pays. */
  get isWorn(): boolean {
    return this.#replacedCount > WORN_SHARE * this.#slots
  }

  /** Appends a value to a slot. Slots come in ascending order for each term. @param term made by `keyTerm` */
  append(term: string, slot: number): void {
    this.#postings.append(term, slot)
    this.#slots = Math.max(this.#slots, slot + 1)
    const at = slot * this.#fields.length + this.#fields.indexOf(readKeyTerm(term)[0])
    while (at >= this.#counts.length) {
      const larger = new Uint8Array(Math.max(64 * this.#fields.length, this.#counts.length * 2))
      larger.set(this.#counts)
      this.#counts = larger
    }
    if (this.#counts[at] < COUNT_MAX) this.#counts[at]++
  }

  /**
   * Replaces the values of a field in a slot.
   * @returns false, with nothing changed, where the slot has exactly these values
   */
  replace(slot: number, field: string, values: ReadonlySet<string>): boolean {
    const terms = termsOf(field, values)
    if (this.#hasExactly(slot, field, terms)) return false
    let replaced = this.#replaced.get(field)
    const before = replaced?.terms.get(slot)
    if (replaced === undefined) {
      replaced = { slots: bitsFor(this.slotsMax), terms: new Map() }
      this.#replaced.set(field, replaced)
    }
    if (before === undefined) this.#replacedCount++
    for (const term of before ?? []) this.#forgetLater(term, slot)
    setBit(replaced.slots, slot)
    replaced.terms.set(slot, terms)
    for (const term of terms) this.#noteLater(term, slot)
    return true
  }

  /**
   * Tells whether a slot has exactly these values of a field; may be false for one with more than `COUNT_MAX` values.
   * @throws PagedOut
   */
  hasExactly(slot: number, field: string, values: ReadonlySet<string>): boolean {
    return this.#hasExactly(slot, field, termsOf(field, values))
  }

  /** Returns the slots that have a value, in no particular order, with dead ones. @throws PagedOut */
  slotsWith(field: string, value: string): Uint32Array {
    const term = keyTerm(field, value)
    const id = this.#postings.find(term)
    const appended = id < 0 ? new Uint32Array(0) : this.#read(field, id)
    const later = this.#later.get(term)
    if (later === undefined) return appended
    const slots = new Uint32Array(appended.length + later.size)
    slots.set(appended)
    slots.set([...later], appended.length)
    return slots
  }

  /** Yields each term with its slots, ascending. */
  *terms(): Generator<readonly [term: string, slots: Uint32Array]> {
    for (const [term, id] of this.#postings.terms()) {
      const [field, value] = readKeyTerm(term)
      if (this.#replaced.get(field) === undefined) yield [term, this.#read(field, id)]
      else yield [term, this.slotsWith(field, value).sort()]
    }
    for (const [term, slots] of this.#later) {
      if (this.#postings.find(term) < 0) yield [term, Uint32Array.from(slots).sort()]
    }
  }

  /** Returns a column with the same values. Replacing values in one does not change the other. */
  clone(): KeyColumn {
    const copy = new KeyColumn(this.#fields, this.slotsMax, this.#postings, this.#counts)
    copy.#slots = this.#slots
    for (const [field, { terms }] of this.#replaced) copy.#restoreReplaced(field, terms)
    return copy
  }

  /** Writes the column; its postings must be frozen. */
  async save(to: SnapshotWriter): Promise<void> {
    await this.#postings.save(to)
    await to.array(this.#counts.subarray(0, this.#slots * this.#fields.length))
    await to.numbers([this.#replaced.size])
    for (const [field, { terms }] of this.#replaced) {
      const all = [...terms]
      await to.strings([field, ...all.flatMap(([, each]) => each)])
      await to.array(Uint32Array.from(all.flatMap(([slot, each]) => [slot, each.length])))
    }
  }

  static async load(fields: readonly string[], slotsMax: number, from: SnapshotReader): Promise<KeyColumn> {
    const postings = await Postings.load(from)
    const column = new KeyColumn(fields, slotsMax, postings, await from.array(Uint8Array))
    column.#slots = column.#counts.length / Math.max(1, fields.length)
    const [replacedFields] = await from.numbers()
    for (let i = 0; i < replacedFields; i++) {
      const [field, ...all] = await from.strings()
      const places = await from.array(Uint32Array)
      const terms = new Map<number, readonly string[]>()
      let end = 0
      for (let at = 0; at < places.length; at += 2) {
        const start = end
        end += places[at + 1]
        terms.set(places[at], all.slice(start, end))
      }
      column.#restoreReplaced(field, terms)
    }
    return column
  }

  #restoreReplaced(field: string, terms: ReadonlyMap<number, readonly string[]>): void {
    const slots = bitsFor(this.slotsMax)
    for (const [slot, each] of terms) {
      setBit(slots, slot)
      for (const term of each) this.#noteLater(term, slot)
    }
    this.#replaced.set(field, { slots, terms: new Map(terms) })
    this.#replacedCount += terms.size
  }

  /** Returns the slots of a term's postings that still count. */
  #read(field: string, id: number): Uint32Array {
    const slots = new Uint32Array(this.#postings.count(id))
    this.#postings.read(id, slots)
    const replaced = this.#replaced.get(field)
    return replaced === undefined ? slots : slots.filter((slot) => !hasBit(replaced.slots, slot))
  }

  #hasExactly(slot: number, field: string, terms: readonly string[]): boolean {
    const replaced = this.#replaced.get(field)?.terms.get(slot)
    return replaced === undefined ? this.#hasAppended(slot, field, terms) : isSameSet(replaced, terms)
  }

  /** Tells whether exactly these terms of a field were appended to a slot; false where it cannot be told. */
  #hasAppended(slot: number, field: string, terms: readonly string[]): boolean {
    const count = this.#counts[slot * this.#fields.length + this.#fields.indexOf(field)] ?? 0
    if (count !== terms.length || count === COUNT_MAX) return false
    return terms.every((term) => {
      const id = this.#postings.find(term)
      return id >= 0 && this.#postings.has(id, slot)
    })
  }

  #noteLater(term: string, slot: number): void {
    const slots = this.#later.get(term)
    if (slots !== undefined) {
      slots.add(slot)
      return
    }
    this.#later.set(term, new Set([slot]))
    this.#textBytes += stringBytes(term)
  }

  #forgetLater(term: string, slot: number): void {
    const slots = this.#later.get(term)!
    slots.delete(slot)
    if (slots.size > 0) return
    this.#later.delete(term)
    this.#textBytes -= stringBytes(term)
  }
}

function termsOf(field: string, values: ReadonlySet<string>): string[] {
  return Array.from(values, (value) => keyTerm(field, value))
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((term) => other.includes(term))
}
