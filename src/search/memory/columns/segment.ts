import { PARTITIONS, type Partition } from '../../analysis/analysis.ts'
import type { DocumentValues, IndexDefinition, IndexDocument } from '../../engine.ts'
import { type Bits, clearBit, countBits, hasBit, setBit } from './bitset.ts'
import { FacetColumn, type FacetValues } from './facet-column.ts'
import { KeyColumn, keyTerm, readKeyTerm } from './key-column.ts'
import { type MemorySize, stringBytes } from './memory-size.ts'
import type { Pause } from '../../../platform/threads/slices.ts'
import { Postings } from './postings.ts'
import { PropertyColumn, type PropertyValues } from './property-column.ts'
import type { PreparedDocument } from '../../indexing/prepared-document.ts'
import { isProperty } from '../../indexing/property-values.ts'
import { SegmentPages } from './segment-pages.ts'
import { columnBytes, VectorColumn, type VectorMemory } from './vector-column.ts'

/**
 * Slots of a segment. A posting packs the slot (low 14 bits) and the number of the weighted frequency (high 18 bits).
 */
export const SLOTS_MAX = 16_384
const SLOT_BITS = 14
const SLOT_MASK = SLOTS_MAX - 1
/** Passage rows of a full segment. */
export const ROWS_MAX = 32_768
/** Distinct weighted frequencies of a full segment, so that no packed number overflows. */
const FREQUENCIES_FULL = 2 ** 17
/**
 * Terms of a full segment. The next doubling of the dictionary's table would take too much of the heap at once, where a
 * failure ends the process. Leaves room for the last document.
 */
export const TERMS_FULL = 2 ** 19 - 2 ** 13
/** Bytes of vectors of a full segment. The next growth would take too much of the arena at once. */
export const VECTOR_BYTES_FULL = 2 ** 26
/** Bytes of a document's id, keys and numbers on the heap. */
const DOCUMENT_BYTES = 500
/** Bytes of a value of a property on the heap. */
const PROPERTY_BYTES = 200

/** Bytes of a term that the segment did not have, with its first posting, and of each further posting. */
const [TERM_BYTES, POSTING_BYTES] = [100, 6]

/** Name for all properties among the fields whose values were replaced. */
const PROPERTIES = ''

/** Numbers of the change that a document is from, and its hash, as in `IndexChange`. */
export interface DocumentChange {
  readonly seq: number
  readonly textSeq: number
  readonly signature: number
}

/** The columns of a segment that are stored; the others are derived from them. */
export type SegmentColumns = Pick<
  Segment,
  | 'ids'
  | 'groups'
  | 'owners'
  | 'shares'
  | 'changedAt'
  | 'seqs'
  | 'textSeqs'
  | 'signatures'
  | 'lengths'
  | 'nameLengths'
  | 'rowStarts'
  | 'passageStarts'
  | 'passageEnds'
  | 'numbers'
  | 'sortTexts'
  | 'alive'
  | 'withVectors'
  | 'byPartition'
  | 'frequencies'
  | 'areNamed'
  | 'properties'
  | 'keys'
  | 'facets'
  | 'terms'
  | 'vectors'
>

/** The columns whose values can be replaced, as they were when an index was captured. */
export type CapturedValues = Pick<
  Segment,
  'groups' | 'owners' | 'changedAt' | 'seqs' | 'signatures' | 'numbers' | 'properties' | 'keys' | 'facets'
>

/** Numbers of a document's group and owner in its index. */
export interface DocumentPlace {
  readonly group: number
  readonly owner: number
}

/**
 * Up to 16,384 documents as columns. A document's index in the columns is its slot. The text of a document is only
 * appended: a document with another text gets another slot, its former slot is marked dead, and compaction reclaims it.
 * The other values of a document are replaced in its slot.
 */
export class Segment {
  readonly serial: number
  readonly definition: IndexDefinition
  readonly ids: string[] = []
  groups: number[] = []
  /** Number of each document's owner (`OwnerShares`). */
  owners: number[] = []
  /** Bytes that each document was estimated to take when it was stored. */
  readonly shares: number[] = []
  changedAt: number[] = []
  /** Number of the change that each document's values are from. */
  seqs: number[] = []
  /** Number of the change that last altered the text of each document, as far as the segment has it. */
  readonly textSeqs: number[] = []
  /** Hash of the columns that each document's keys, group and properties are made of (`IndexChange`). */
  signatures: number[] = []
  /** Weighted length of each document's text. */
  readonly lengths: number[] = []
  /** Number of words of each document's name. */
  readonly nameLengths: number[] = []
  /** The first passage row of each slot, followed by the end of the last slot's rows. */
  readonly rowStarts: number[] = [0]
  /** By passage row, the start of the passage in its text, in UTF-16 units. */
  readonly passageStarts: number[] = []
  /** By passage row, the end of the passage in its text, in UTF-16 units. */
  readonly passageEnds: number[] = []
  /** By number field, the value of each document; NaN if a document has none. */
  numbers: Readonly<Record<string, number[]>>
  /** Text by which each document's title is sorted; empty without one. */
  readonly sortTexts: string[] = []
  /** Null if the index has no properties. */
  properties: PropertyColumn | null
  keys: KeyColumn
  facets: Readonly<Record<string, FacetColumn>>
  readonly terms: Readonly<Record<Partition, Postings>>
  /** The distinct weighted term frequencies; postings name a frequency by its index. */
  readonly frequencies: number[] = []
  /** By the same index, whether the term is in the document's name. */
  readonly areNamed: boolean[] = []
  readonly alive: Bits = new Uint32Array(SLOTS_MAX / 32)
  readonly withVectors: Bits = new Uint32Array(SLOTS_MAX / 32)
  /** By partition, the documents whose text was analysed in it. */
  readonly byPartition: Readonly<Record<Partition, Bits>>
  vectors: VectorColumn | null = null
  readonly pages: SegmentPages = new SegmentPages(this)
  aliveCount = 0
  /** Sums of `shares`: of all documents, and of those that live. */
  #bytesStored = 0
  #bytesAlive = 0
  /** Whether every slot so far has exactly one passage, so that row numbers equal slot numbers. */
  singleRows = true
  /** Increases with every document that is appended or dies. */
  revision = 0
  /** Increases with every document whose values are replaced. */
  valueRevision = 0
  /** How often values of a field were replaced. */
  readonly #fieldRevisions = new Map<string, number>()
  /** Whether a capture has the columns of values, so that they must be copied before they change. */
  #isCaptured = false
  /** Whether the segment takes no more documents. */
  closed = false
  /** Index in `frequencies` by frequency, negative for terms of names. */
  #frequencyNumbers = new Map<number, number>()
  #memory: VectorMemory
  #textBytes = 0
  /** Address of the arena block with the slot of each passage row; 0 without a block. */
  #rowSlots = 0
  #rowSlotsCapacity = 0
  /** Number of slots whose rows are in the block. */
  #rowSlotsWritten = 0

  /**
   * @param facetValues facet values of the index, by field
   * @param propertyValues values of the index's properties; null if it has none
   */
  constructor(
    serial: number,
    definition: IndexDefinition,
    memory: VectorMemory,
    facetValues: Readonly<Record<string, FacetValues>>,
    propertyValues: PropertyValues | null = null,
  ) {
    this.serial = serial
    this.definition = definition
    this.#memory = memory
    this.properties = propertyValues === null ? null : new PropertyColumn(propertyValues)
    this.keys = new KeyColumn(definition.keyFields, SLOTS_MAX)
    const facets = Object.entries(facetValues).map(([field, values]) => [field, new FacetColumn(values)])
    this.facets = Object.fromEntries(facets) as Record<string, FacetColumn>
    this.numbers = Object.fromEntries(definition.numberFields.map((field) => [field, []]))
    this.terms = Object.fromEntries(PARTITIONS.map((each) => [each, new Postings()])) as Record<Partition, Postings>
    const sets = PARTITIONS.map((each) => [each, new Uint32Array(SLOTS_MAX / 32)])
    this.byPartition = Object.fromEntries(sets) as Record<Partition, Bits>
  }

  get slots(): number {
    return this.ids.length
  }

  /** Number of 32-bit words of a set of slots. */
  get bitWords(): number {
    return (this.slots + 31) >>> 5
  }

  /** Whether the next document needs another segment. */
  get full(): boolean {
    const rows = this.passageStarts.length
    return (
      this.slots >= SLOTS_MAX ||
      rows >= ROWS_MAX ||
      this.frequencies.length >= FREQUENCIES_FULL ||
      this.termCount >= TERMS_FULL ||
      (this.vectors?.usedBytes ?? 0) >= VECTOR_BYTES_FULL
    )
  }

  get termCount(): number {
    return PARTITIONS.reduce((sum, each) => sum + this.terms[each].size, 0)
  }

  /** Estimated bytes of dead documents, which a compaction gives back. */
  get deadBytes(): number {
    return this.#bytesStored - this.#bytesAlive
  }

  /** Share of what the documents take that living ones take. */
  get aliveShare(): number {
    return this.#bytesStored === 0 ? 1 : this.#bytesAlive / this.#bytesStored
  }

  /** Approximate: arrays of numbers are counted with 10 bytes per number, because they grow ahead. */
  get size(): MemorySize {
    const columns = 13 + this.definition.numberFields.length
    const parts = [...this.postings, this.keys, ...Object.values(this.facets)]
    let outside = 4_096 + (2 + PARTITIONS.length) * (SLOTS_MAX / 8) + (this.vectors?.bytes ?? 0)
    outside += this.#rowSlotsCapacity * 4 + (this.properties?.bytes ?? 0) + this.pages.emptyBytes
    let heapBytes = this.slots * columns * 10 + this.passageStarts.length * 20 + this.#textBytes
    heapBytes += this.frequencies.length * 60
    for (const part of parts) {
      outside += part.bytes - part.heapBytes
      heapBytes += part.heapBytes
    }
    return { bytes: outside + heapBytes, heapBytes }
  }

  /** The keys, and the terms of each partition. */
  get postings(): readonly Postings[] {
    return [this.keys.postings, ...PARTITIONS.map((each) => this.terms[each])]
  }

  /** Returns about the most memory that appending the document takes. */
  growthFor({ document, partition, frequencies }: PreparedDocument): MemorySize {
    const { passages, properties = {} } = document
    const terms = this.terms[partition].growthFor(frequencies.size)
    const rows = passages.length
    const vectors = this.vectors?.growthFor(rows) ?? columnBytes(passages[0]?.vector.length ?? 0, rows)
    const values = Object.values(properties).reduce((sum, each) => sum + Math.max(1, each.length), 0)
    const heapBytes = terms.heapBytes + DOCUMENT_BYTES + rows * 20 + values * PROPERTY_BYTES
    return { bytes: terms.bytes - terms.heapBytes + heapBytes + vectors, heapBytes }
  }

  /** Returns about the bytes that a document takes, with words of its own as far as `newTerms` of them are. */
  shareFor({ document, frequencies }: PreparedDocument, newTerms: number = frequencies.size): number {
    const { passages, properties = {} } = document
    const row = 5 * (passages[0]?.vector.length ?? 0) + 28
    const values = Object.values(properties).reduce((sum, each) => sum + Math.max(1, each.length), 0)
    const words = newTerms * TERM_BYTES + frequencies.size * POSTING_BYTES
    return DOCUMENT_BYTES + words + passages.length * row + values * PROPERTY_BYTES
  }

  /** Returns the address of the slots of all passage rows, for the kernel; 0 if every slot has one row. */
  rowSlotsAddress(): number {
    if (this.singleRows) return 0
    const rows = this.passageStarts.length
    if (rows > this.#rowSlotsCapacity) {
      const capacity = 2 ** Math.ceil(Math.log2(rows))
      const block = this.#memory.arena.allocate(capacity * 4)
      if (this.#rowSlots !== 0) this.#memory.arena.free(this.#rowSlots)
      this.#rowSlots = block
      this.#rowSlotsCapacity = capacity
      this.#rowSlotsWritten = 0
    }
    const { u32 } = this.#memory.arena
    for (; this.#rowSlotsWritten < this.slots; this.#rowSlotsWritten++) {
      const slot = this.#rowSlotsWritten
      const at = this.#rowSlots >>> 2
      u32.fill(slot, at + this.rowStarts[slot], at + this.rowStarts[slot + 1])
    }
    return this.#rowSlots
  }

  /**
   * Appends a document.
   * @param change numbers of the change, and the hash of the document (`IndexChange`)
   * @returns its slot
   * @throws RangeError when a vector is invalid; then nothing is appended
   */
  append(prepared: PreparedDocument, place: DocumentPlace, change: DocumentChange): number {
    const { document } = prepared
    this.#appendVectors(document.passages.map((passage) => passage.vector))
    for (const passage of document.passages) {
      this.passageStarts.push(passage.start)
      this.passageEnds.push(passage.end)
    }
    const { id, changedAt, passages } = document
    const slot = this.#appendColumns({ id, changedAt, ...change }, place, prepared, passages.length)
    setBit(this.byPartition[prepared.partition], slot)
    for (const field of this.definition.numberFields) this.numbers[field].push(document.numbers[field] ?? NaN)
    this.properties?.append(document.properties ?? {})
    this.#appendSortText(document.sortText ?? '')
    for (const field of this.definition.keyFields) {
      for (const value of new Set(document.keys[field])) this.appendKey(keyTerm(field, value), slot)
    }
    const terms = this.terms[prepared.partition]
    const termsBefore = terms.size
    for (const [term, frequency] of prepared.frequencies) {
      terms.append(term, this.pack(slot, frequency, prepared.nameTerms.has(term)))
    }
    this.#addShare(this.shareFor(prepared, terms.size - termsBefore))
    return slot
  }

  /** Appends the columns of another segment's slot, without its postings, for compaction. @returns the new slot */
  copyColumns(from: Segment, slot: number): number {
    const first = from.rowStarts[slot]
    const end = from.rowStarts[slot + 1]
    const vectors: Float32Array[] = []
    for (let row = first; row < end; row++) vectors.push(from.vectors!.read(row))
    this.#appendVectors(vectors)
    for (let row = first; row < end; row++) {
      this.passageStarts.push(from.passageStarts[row])
      this.passageEnds.push(from.passageEnds[row])
    }
    const document = {
      id: from.ids[slot],
      changedAt: from.changedAt[slot],
      seq: from.seqs[slot],
      textSeq: from.textSeqs[slot],
      signature: from.signatures[slot],
    }
    const lengths = { length: from.lengths[slot], nameLength: from.nameLengths[slot] }
    const place = { group: from.groups[slot], owner: from.owners[slot] }
    const copy = this.#appendColumns(document, place, lengths, end - first)
    this.#addShare(from.shares[slot])
    for (const each of PARTITIONS) if (hasBit(from.byPartition[each], slot)) setBit(this.byPartition[each], copy)
    for (const field of this.definition.numberFields) this.numbers[field].push(from.numbers[field][slot])
    if (from.properties !== null) this.properties?.copy(from.properties, slot)
    this.#appendSortText(from.sortTexts[slot])
    return copy
  }

  /** Returns the partition in which a slot's document was analysed. */
  partitionAt(slot: number): Partition {
    return PARTITIONS.find((each) => hasBit(this.byPartition[each], slot))!
  }

  /** Appends a value of a key field. @param term made by `keyTerm` */
  appendKey(term: string, slot: number): void {
    this.keys.append(term, slot)
    const [field, value] = readKeyTerm(term)
    this.facets[field]?.add(slot, value)
  }

  /**
   * Replaces the values of a document in its slot.
   * @param rest keys and properties; null where they are those of the slot
   */
  replaceValues(
    slot: number,
    { group, owner }: DocumentPlace,
    change: Omit<DocumentChange, 'textSeq'> & Pick<DocumentValues, 'changedAt' | 'numbers'>,
    rest: Pick<DocumentValues, 'keys' | 'properties'> | null,
  ): void {
    if (this.#isCaptured) this.#copyValues()
    this.valueRevision++
    this.groups[slot] = group
    this.owners[slot] = owner
    this.changedAt[slot] = change.changedAt
    this.seqs[slot] = change.seq
    this.signatures[slot] = change.signature
    for (const field of this.definition.numberFields) {
      const number = change.numbers[field] ?? NaN
      if (Object.is(this.numbers[field][slot], number)) continue
      this.numbers[field][slot] = number
      this.#noteReplaced(field)
    }
    if (rest === null) return
    for (const field of this.definition.keyFields) {
      const values = new Set(rest.keys[field])
      if (!this.keys.replace(slot, field, values)) continue
      this.facets[field]?.replace(slot, values)
      this.#noteReplaced(field)
    }
    if (this.properties?.replace(slot, rest.properties ?? {}) === true) this.#noteReplaced(PROPERTIES)
  }

  /** Tells whether these keys give a document another audience than those of a slot do. @throws PagedOut */
  hasOtherAudience(slot: number, keys: DocumentValues['keys']): boolean {
    const { audienceFields = [] } = this.definition
    return audienceFields.some((field) => !this.keys.hasExactly(slot, field, new Set(keys[field])))
  }

  /** Returns a number that increases with every value of a key field, number field or property that is replaced. */
  revisionOf(field: string): number {
    return this.#fieldRevisions.get(isProperty(field) ? PROPERTIES : field) ?? 0
  }

  /** Returns the columns of values; until `endCapture`, replaced values do not change them. */
  captureValues(): CapturedValues {
    this.#isCaptured = true
    const { groups, owners, changedAt, seqs, signatures, numbers, properties, keys, facets } = this
    return { groups, owners, changedAt, seqs, signatures, numbers, properties, keys, facets }
  }

  /** Ends `captureValues`. */
  endCapture(): void {
    this.#isCaptured = false
  }

  /** Returns by slot the values of a number field or of a property; NaN if a document has none. */
  numbersOf(name: string): ArrayLike<number> {
    return this.numbers[name] ?? this.properties!.numbersOf(name)
  }

  /** Packs a posting. Each distinct frequency is kept once, in float64, and once more for terms of names. */
  pack(slot: number, frequency: number, isNamed: boolean): number {
    const key = isNamed ? -frequency : frequency
    let number = this.#frequencyNumbers.get(key)
    if (number === undefined) {
      number = this.frequencies.push(frequency) - 1
      this.areNamed.push(isNamed)
      this.#frequencyNumbers.set(key, number)
    }
    return ((number << SLOT_BITS) | slot) >>> 0
  }

  /** Marks the document of a slot as dead, unless it is. */
  kill(slot: number): void {
    if (!hasBit(this.alive, slot)) return
    clearBit(this.alive, slot)
    // A title must not stay in memory, nor get into a snapshot, once its document is gone.
    const sortText = this.sortTexts[slot]
    if (sortText !== '') this.#textBytes -= stringBytes(sortText)
    this.sortTexts[slot] = ''
    this.aliveCount--
    this.#bytesAlive -= this.shares[slot]
    this.revision++
  }

  /** Frees all memory and files of the segment. */
  free(): void {
    this.pages.close()
    for (const column of Object.values(this.facets)) column.free()
    this.properties?.free()
    this.vectors?.free()
    this.vectors = null
    if (this.#rowSlots !== 0) this.#memory.arena.free(this.#rowSlots)
    this.#rowSlots = 0
    this.#rowSlotsCapacity = 0
    this.#rowSlotsWritten = 0
  }

  /** Copies the columns of values, since a capture has the present ones. */
  #copyValues(): void {
    this.#isCaptured = false
    this.groups = this.groups.slice()
    this.owners = this.owners.slice()
    this.changedAt = this.changedAt.slice()
    this.seqs = this.seqs.slice()
    this.signatures = this.signatures.slice()
    const numbers = Object.entries(this.numbers).map(([field, column]) => [field, column.slice()])
    this.numbers = Object.fromEntries(numbers) as Record<string, number[]>
    this.properties = this.properties?.clone() ?? null
    this.keys = this.keys.clone()
    const facets = Object.entries(this.facets).map(([field, column]) => [field, column.clone()])
    this.facets = Object.fromEntries(facets) as Record<string, FacetColumn>
  }

  #addShare(bytes: number): void {
    this.shares.push(bytes)
    this.#bytesStored += bytes
    this.#bytesAlive += bytes
  }

  #noteReplaced(field: string): void {
    this.#fieldRevisions.set(field, (this.#fieldRevisions.get(field) ?? 0) + 1)
  }

  #appendSortText(text: string): void {
    this.sortTexts.push(text)
    if (text !== '') this.#textBytes += stringBytes(text)
  }

  /** Whether the dictionaries take no more terms, and the least memory. */
  get isFrozen(): boolean {
    return this.postings.every(({ isFrozen }) => isFrozen)
  }

  /** Makes a closed segment smaller. */
  async freeze(pause: Pause): Promise<void> {
    for (const postings of this.postings) await postings.freeze(pause)
    const waiting = pause()
    if (waiting !== undefined) await waiting
    this.vectors?.shrink()
  }

  /** Fills a new segment with the columns of a stored one, and closes it. */
  restore(columns: SegmentColumns): void {
    this.closed = true
    const { alive, withVectors, byPartition, ...rest } = columns
    this.alive.set(alive)
    this.withVectors.set(withVectors)
    for (const each of PARTITIONS) this.byPartition[each].set(byPartition[each])
    Object.assign(this, rest)
    const { ids, sortTexts, rowStarts } = this
    this.aliveCount = countBits(this.alive)
    this.singleRows = this.passageStarts.length === ids.length && rowStarts.every((start, slot) => start === slot)
    this.#textBytes = ids.concat(sortTexts).reduce((sum, text) => sum + (text === '' ? 0 : stringBytes(text)), 0)
    for (const [slot, bytes] of this.shares.entries()) {
      this.#bytesStored += bytes
      if (hasBit(this.alive, slot)) this.#bytesAlive += bytes
    }
    this.revision++
  }

  /** Appends the vectors of a document. Runs before its other columns, because it throws on an invalid vector. */
  #appendVectors(vectors: readonly Float32Array[]): void {
    if (vectors.length === 0) return
    this.vectors ??= new VectorColumn(this.#memory, vectors[0].length)
    const before = this.vectors.rows
    try {
      for (const vector of vectors) this.vectors.append(vector)
    } catch (error) {
      this.vectors.rows = before
      throw error
    }
  }

  #appendColumns(
    document: Pick<IndexDocument, 'id' | 'changedAt'> & DocumentChange,
    { group, owner }: DocumentPlace,
    { length, nameLength }: Pick<PreparedDocument, 'length' | 'nameLength'>,
    rows: number,
  ): number {
    const slot = this.ids.push(document.id) - 1
    this.groups.push(group)
    this.owners.push(owner)
    this.changedAt.push(document.changedAt)
    this.seqs.push(document.seq)
    this.textSeqs.push(document.textSeq)
    this.signatures.push(document.signature)
    this.lengths.push(length)
    this.nameLengths.push(nameLength)
    this.rowStarts.push(this.rowStarts[slot] + rows)
    setBit(this.alive, slot)
    if (rows > 0) setBit(this.withVectors, slot)
    if (rows !== 1) this.singleRows = false
    this.#textBytes += stringBytes(document.id)
    this.aliveCount++
    this.revision++
    return slot
  }
}

/** Returns the slot of a posting. */
export function slotOf(posting: number): number {
  return posting & SLOT_MASK
}

/** Returns the index of a posting's weighted frequency in `frequencies`. */
export function frequencyNumberOf(posting: number): number {
  return posting >>> SLOT_BITS
}
