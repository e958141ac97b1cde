import type {
  IndexChange,
  IndexDefinition,
  IndexDocument,
  LeftOutDocument,
  SearchRequest,
  ValueChange,
  ValueReplacement,
} from '../../engine.ts'
import type { Pause } from '../../../platform/threads/slices.ts'
import { FacetValues } from '../columns/facet-column.ts'
import { SegmentFilters } from '../query/filters.ts'
import type { View } from '../query/keyword.ts'
import { mapBytes, type MemorySize, sumOf } from '../columns/memory-size.ts'
import { type NumberedValues, PropertyValues } from '../columns/property-column.ts'
import type { Outcome } from '../query/outcome.ts'
import { searchBatch } from '../query/search.ts'
import { type Bits, haveCommon, listBits } from '../columns/bitset.ts'
import { type PreparedDocument, preparing } from '../../indexing/prepared-document.ts'
import { drain } from '../../../platform/threads/steps.ts'
import { type CapturedValues, type DocumentChange, Segment, SLOTS_MAX } from '../columns/segment.ts'
import type { TextAnalyser } from '../../indexing/text-analyser.ts'
import { Groups } from './groups.ts'
import { type LeftOutColumns, LeftOutDocuments } from './left-out.ts'
import { PagedOut } from '../columns/frozen-terms.ts'
import { IndexPages } from './index-pages.ts'
import { newestOf } from './newest.ts'
import { type DocumentShare, OwnerShares, TENANT } from './shares.ts'
import type { VectorMemory } from '../columns/vector-column.ts'

/** Memory has no room for a document, of which nothing was stored. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom'
}

/**
 * The state of an index at one moment: its closed segments with their living slots, and the names of groups and values
 * by the ids that the segments have. Afterwards only the death of documents changes what a snapshot takes from them.
 */
export interface IndexCapture {
  readonly reached: number
  readonly dimensions: number | null
  readonly unreadable: readonly string[]
  readonly groups: readonly string[]
  /** The names of owners, by the numbers that the segments have. */
  readonly owners: readonly string[]
  readonly leftOut: LeftOutColumns
  /** By facet field, its values by id. */
  readonly facets: Readonly<Record<string, readonly string[]>>
  /** Null if the index has no properties. */
  readonly properties: NumberedValues | null
  readonly segments: ReadonlyArray<{
    readonly segment: Segment
    readonly alive: Bits
    readonly values: CapturedValues
  }>
}

/** Tells whether memory has room for the growth of an index by a document with this share of the index. */
type Admits = (growth: MemorySize, share: DocumentShare) => boolean

/** Assumed bytes of an unreadable document's id in its set. */
const ID_BYTES = 80

/**
 * The documents of one tenant in one index, with the vectors of one model: segments, the place of each document, and
 * the number of the last applied change.
 */
export class TenantIndex {
  readonly definition: IndexDefinition
  readonly pages: IndexPages = new IndexPages(this)
  /** Every change with a number up to here is applied. */
  reached = 0
  #analyser: TextAnalyser
  #memory: VectorMemory
  #segments: Segment[] = []
  #filters = new Map<Segment, SegmentFilters>()
  #bySerial = new Map<number, Segment>()
  #nextSerial = 0
  /** By id of a living document, its place: segment serial x SLOTS_MAX + slot. */
  #places = new Map<string, number>()
  #groups = new Groups()
  #owners = new OwnerShares()
  #leftOut = new LeftOutDocuments()
  readonly #facetValues: Readonly<Record<string, FacetValues>>
  readonly #propertyValues: PropertyValues | null
  /** Dimensions of the vectors; null before the first. */
  #dimensions: number | null = null
  #unreadable = new Set<string>()
  #freed = false
  /** The segment that a running compaction copies into. */
  #merged: Segment | null = null
  /** Values that were replaced while a compaction ran, by id: the copy may have the former ones. */
  readonly #replacements = new Map<string, ValueReplacement>()

  constructor(definition: IndexDefinition, memory: VectorMemory, analyser: TextAnalyser) {
    this.definition = definition
    this.#memory = memory
    this.#analyser = analyser
    const facets = (definition.facetFields ?? []).map((field) => [field, new FacetValues()])
    this.#facetValues = Object.fromEntries(facets) as Record<string, FacetValues>
    this.#propertyValues = definition.hasProperties ? new PropertyValues() : null
    this.#addSegment()
  }

  /** Number of living documents. */
  get documents(): number {
    return this.#places.size
  }

  /**
   * Number of documents that are damaged and not found, or found by words alone since their vectors have a wrong size.
   */
  get unreadable(): number {
    return this.#unreadable.size
  }

  /** Number of documents that search leaves out, since the tenant's memory is full. */
  get leftOut(): number {
    return this.#leftOut.size
  }

  /** Bytes that the living documents of each owner were estimated to take. */
  get shares(): Iterable<readonly [owner: string, bytes: number]> {
    return this.#owners
  }

  /** Returns the bytes that the living documents of an owner were estimated to take. */
  shareOf(owner: string): number {
    return this.#owners.bytesOf(owner)
  }

  /** Whether segments would take less if they were frozen, and no compaction copies them. */
  get canFreeze(): boolean {
    return this.freezable.length > 0
  }

  /** The closed segments that are not frozen and have no dead documents. */
  get freezable(): Segment[] {
    return this.#segments.filter(({ closed, deadBytes, isFrozen }) => closed && deadBytes === 0 && !isFrozen)
  }

  /** Estimated bytes of dead documents, which compactions give back. */
  get deadBytes(): number {
    return this.#segments.reduce((sum, segment) => sum + segment.deadBytes, 0)
  }

  /** Bytes of the cached filters, which `forgetFilters` gives back. */
  get filterBytes(): number {
    return sumOf(this.#filters.values()).bytes
  }

  /**
   * Whether all vectors of the index's size are gone while documents have vectors of another size. An index that is
   * built anew takes the other size.
   */
  get isOutgrown(): boolean {
    return this.#dimensions !== null && this.#unreadable.size > 0 && !this.#hasVectors
  }

  get passages(): number {
    return this.#segments.reduce((sum, segment) => sum + (segment.vectors?.rows ?? 0), 0)
  }

  /** Memory in use. Measuring visits every segment, so do not measure after each document. */
  get size(): MemorySize {
    const { bytes, heapBytes } = sumOf([
      ...this.#segments.map((segment) => segment.size),
      ...this.#filters.values(),
      ...(this.#merged === null ? [] : [this.#merged.size]),
    ])
    let own = mapBytes(this.#places.size) + this.#unreadable.size * ID_BYTES + this.#groups.heapBytes
    own += this.#owners.heapBytes + this.#leftOut.heapBytes
    for (const values of Object.values(this.#facetValues)) own += values.heapBytes
    own += this.#propertyValues?.heapBytes ?? 0
    return { bytes: bytes + own, heapBytes: heapBytes + own }
  }

  /** Bytes of original vectors that lie in files. */
  get fileBytes(): number {
    return this.#segments.reduce((sum, { vectors }) => sum + (vectors?.fileBytes ?? 0), 0)
  }

  get segments(): readonly Segment[] {
    return this.#segments
  }

  get freed(): boolean {
    return this.#freed
  }

  /**
   * Applies one change; the caller sets `reached` after each batch. A document whose vector has a wrong size is stored
   * without vectors, so that words still find the document and the tenant's searches go on.
   */
  apply(change: IndexChange): void {
    drain(this.applying(change, () => true))
  }

  /**
   * Applies one change in steps of about a millisecond. The index does not change before the last step.
   * @param admits tells whether memory has room for this growth, by a document with this share of the index
   * @throws NoRoom
   */
  *applying(change: IndexChange, admits: Admits): Generator<undefined, void> {
    if (this.#freed) return
    if ('put' in change) {
      const { seq, put, textSeq = seq, signature = NaN } = change
      yield* this.#taking(put, { seq, textSeq, signature }, admits)
      return
    }
    const isUnreadable = 'unreadable' in change
    this.#remove(isUnreadable ? change.unreadable : change.remove)
    this.#leftOut.delete(isUnreadable ? change.unreadable : change.remove)
    if (isUnreadable) this.#unreadable.add(change.unreadable)
    else this.#unreadable.delete(change.remove)
  }

  /** Stores a document that was analysed before. @throws RangeError when its vectors are invalid */
  take(prepared: PreparedDocument, seq: number): void {
    this.#put(prepared, { seq, textSeq: seq, signature: NaN })
  }

  /** Returns the number of the change that a document's values are from; 0 for a document that the index lacks. */
  seqOf(id: string): number {
    const place = this.#places.get(id)
    if (place === undefined) return 0
    return this.#bySerial.get(Math.floor(place / SLOTS_MAX))!.seqs[place % SLOTS_MAX]
  }

  /**
   * Applies a change of values, in microseconds. An index that lacks the document, or has it from a later change, stays
   * as it is. A document whose audience changes while its text waits leaves the index (`audienceFields`).
   * @returns whether the document's text is still to be applied
   * @throws PagedOut
   */
  applyValues(change: ValueChange): boolean {
    if (this.#freed) return false
    if ('remove' in change) {
      if (this.seqOf(change.remove) > change.seq) return false
      this.#remove(change.remove)
      this.#unreadable.delete(change.remove)
      this.#leftOut.delete(change.remove)
      return false
    }
    const { id } = change
    const place = this.#places.get(id)
    if (place === undefined) return !this.#keepsOut(change)
    const segment = this.#bySerial.get(Math.floor(place / SLOTS_MAX))!
    const slot = place % SLOTS_MAX
    const lacksText = change.textSeq > segment.textSeqs[slot]
    if (change.seq <= segment.seqs[slot]) return lacksText
    try {
      if (!this.#replaceValues(segment, slot, change, lacksText)) {
        this.#remove(id)
        return true
      }
    } catch (error) {
      if (error instanceof PagedOut) throw error
      this.#remove(id)
      this.#unreadable.add(id)
      return false
    }
    if (this.#merged !== null) this.#replacements.set(id, change)
    return lacksText
  }

  /** Leaves a document out of search. Until it is applied again, its text is not missing. */
  leaveOut(id: string, textSeq: number, share: DocumentShare): void {
    this.#remove(id)
    this.#unreadable.delete(id)
    this.#leftOut.add({ id, textSeq, ...share })
  }

  /**
   * Leaves the documents of an owner out of search whose text is newest.
   * @param bytes that the documents are to take together, at least; less only where the owner has no more
   * @returns the bytes that they take
   */
  leaveOutNewest(owner: string, bytes: number): number {
    let sum = 0
    for (const { segment, slot } of newestOf(this.#segments, this.#owners.numberOf(owner), bytes)) {
      sum += segment.shares[slot]
      this.leaveOut(segment.ids[slot], segment.textSeqs[slot], { owner, bytes: segment.shares[slot] })
    }
    return sum
  }

  /** The owners of documents that are left out. */
  get ownersLeftOut(): Iterable<string> {
    return this.#leftOut.owners
  }

  /** Returns an owner's documents that are left out and whose text is oldest, at most `limit`. */
  oldestLeftOut(owner: string, limit: number): readonly ({ readonly id: string } & DocumentShare)[] {
    return this.#leftOut.oldestOf(owner, limit)
  }

  /** Returns the documents that are left out and whose text is newest, at most `limit`. */
  newestLeftOut(limit: number): LeftOutDocument[] {
    const index = this.definition.name
    return this.#leftOut.newest(limit).map(({ id, owner }) => ({ index, id, owner: owner === TENANT ? null : owner }))
  }

  /** Tells whether a document is left out. */
  isLeftOut(id: string): boolean {
    return this.#leftOut.get(id) !== undefined
  }

  /** Forgets that a document is left out, since it is gone. */
  forgetLeftOut(id: string): void {
    this.#leftOut.delete(id)
  }

  /** Answers requests in their order. @param view words of all visible documents, if the index has only some of them */
  search(requests: readonly SearchRequest[], view: View | null = null): Outcome[] {
    const searchable = {
      segments: this.#segments,
      filters: this.#segments.map((segment) => this.#filters.get(segment)!),
      dimensions: this.#dimensions !== null && this.#hasVectors ? this.#dimensions : null,
      groupCount: this.#groups.count,
      facetValues: this.#facetValues,
      view,
    }
    return searchBatch(searchable, requests, this.#memory, this.#analyser)
  }

  /** Drops the cached filters, which only make searches faster. */
  forgetFilters(): void {
    for (const filters of this.#filters.values()) filters.forget()
  }

  /** Frees all memory at once, even if other code still holds the index. */
  free(): void {
    for (const segment of this.#segments) segment.free()
    this.#segments = []
    this.#filters.clear()
    this.#bySerial.clear()
    this.#places = new Map()
    this.#groups = new Groups()
    this.#owners = new OwnerShares()
    this.#leftOut = new LeftOutDocuments()
    this.#unreadable = new Set()
    this.#freed = true
  }

  /** Captures the state of the index. Closes the open segment, so that its columns do not change afterwards. */
  capture(): IndexCapture {
    if (this.#open.slots > 0) this.closeOpenSegment()
    const facets = Object.entries(this.#facetValues).map(([field, { names }]) => [field, names.slice()])
    return {
      reached: this.reached,
      dimensions: this.#dimensions,
      unreadable: [...this.#unreadable],
      groups: this.#groups.names,
      owners: this.#owners.names,
      leftOut: this.#leftOut.columns,
      facets: Object.fromEntries(facets),
      properties: this.#propertyValues?.numbered ?? null,
      segments: this.#segments
        .filter(({ slots }) => slots > 0)
        .map((segment) => ({ segment, alive: segment.alive.slice(), values: segment.captureValues() })),
    }
  }

  /** Ends a capture whose segments are no longer read. */
  endCapture({ segments }: Pick<IndexCapture, 'segments'>): void {
    for (const { segment } of segments) segment.endCapture()
  }

  /**
   * Gives a new index the state of a captured one.
   * @param capture with the number of segments in place of the segments
   * @param load fills an empty segment with the next captured one
   * @throws what `load` throws; then the index is useless, and must be freed
   */
  async restore(
    capture: Omit<IndexCapture, 'segments'> & { readonly segments: number },
    load: (segment: Segment) => Promise<void>,
    pause: Pause,
  ): Promise<void> {
    const { facets, properties } = capture
    for (const name of capture.owners) this.#owners.numberOf(name)
    this.#leftOut.restore(capture.leftOut)
    for (const [field, values] of Object.entries(this.#facetValues)) values.restore(facets[field])
    if (properties !== null) this.#propertyValues?.restore(properties)
    for (let i = 0; i < capture.segments; i++) await load(this.#open.slots === 0 ? this.#open : this.#addSegment())
    for (const values of Object.values(this.#facetValues)) values.endRestore()
    this.#propertyValues?.endRestore()
    const members: number[] = []
    const slots = new Uint32Array(SLOTS_MAX)
    for (const segment of this.#segments) {
      const count = listBits(segment.alive, slots)
      for (const slot of slots.subarray(0, count)) {
        this.#places.set(segment.ids[slot], segment.serial * SLOTS_MAX + slot)
        members.push(segment.groups[slot])
        this.#owners.add(segment.owners[slot], segment.shares[slot])
        const waiting = pause()
        if (waiting !== undefined) await waiting
      }
    }
    this.#groups.restore(capture.groups, members)
    this.#dimensions = capture.dimensions
    this.#unreadable = new Set(capture.unreadable)
    this.reached = capture.reached
    if (this.#open.closed) this.#addSegment()
  }

  /** Closes the open segment, so that it can be compacted or laid out, and opens a new one. */
  closeOpenSegment(): void {
    this.#open.closed = true
    this.#addSegment()
  }

  /** Makes a closed segment that is not part of the index yet; `replace` adds it to the index. */
  newSegment(): Segment {
    const segment = this.#makeSegment()
    segment.closed = true
    this.#merged = segment
    return segment
  }

  /** Frees a segment from `newSegment` that is not needed. */
  discard(merged: Segment): void {
    merged.free()
    this.#merged = null
    this.#replacements.clear()
  }

  /**
   * Replaces the segments `old` by `merged`. Documents that were changed or removed after they were copied become dead
   * in `merged`.
   * @param origins by slot of `merged`, the segment and slot of the original
   */
  replace(old: readonly Segment[], merged: Segment, origins: ReadonlyArray<{ segment: Segment; slot: number }>): void {
    this.#merged = null
    for (const [slot, origin] of origins.entries()) {
      const id = merged.ids[slot]
      const place = origin.segment.serial * SLOTS_MAX + origin.slot
      if (this.#places.get(id) !== place) {
        merged.kill(slot)
        continue
      }
      this.#places.set(id, merged.serial * SLOTS_MAX + slot)
      const replacement = this.#replacements.get(id)
      if (replacement === undefined) continue
      const { groups, owners } = origin.segment
      const at = { group: groups[origin.slot], owner: owners[origin.slot] }
      merged.replaceValues(slot, at, replacement, replacement.rest())
    }
    this.#replacements.clear()
    const others = this.#segments.filter((segment) => !old.includes(segment))
    this.#segments = merged.slots > 0 ? [merged, ...others] : others
    for (const segment of old) {
      this.#filters.delete(segment)
      this.#bySerial.delete(segment.serial)
      segment.free()
    }
    if (merged.slots > 0) {
      this.#filters.set(merged, new SegmentFilters(merged))
      this.#bySerial.set(merged.serial, merged)
    } else merged.free()
  }

  get #hasVectors(): boolean {
    return this.#segments.some(({ alive, withVectors }) => haveCommon(alive, withVectors))
  }

  get #open(): Segment {
    return this.#segments[this.#segments.length - 1]
  }

  /** Analyses and stores a document, in steps; without its vectors where they are invalid. @throws NoRoom */
  *#taking(document: IndexDocument, change: DocumentChange, admits: Admits): Generator<undefined, void> {
    const prepared = yield* preparing(this.definition, document, this.#analyser)
    if (this.#freed) return
    const share = { owner: this.#ownerIn(document.keys), bytes: this.#open.shareFor(prepared) }
    if (!admits(this.#open.growthFor(prepared), share)) throw new NoRoom('no room for a document')
    if (this.#takes(prepared, change)) {
      this.#unreadable.delete(document.id)
      return
    }
    this.#unreadable.add(document.id)
    const byWords = { ...prepared, document: { ...document, passages: [] } }
    if (!this.#takes(byWords, change)) this.#remove(document.id)
  }

  /** Stores a document. @returns false, with nothing changed, when its vectors are invalid */
  #takes(prepared: PreparedDocument, change: DocumentChange): boolean {
    try {
      this.#put(prepared, change)
      return true
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return false
    }
  }

  #put(prepared: PreparedDocument, change: DocumentChange): void {
    const { document } = prepared
    const dimensions = this.#dimensionsWith(prepared)
    let open = this.#open
    if (open.full) {
      open.closed = true
      // The next segment uses the room again, since memory for vectors never goes back to the system.
      open.vectors?.shrink()
      open = this.#addSegment()
    }
    const group = this.#groups.add(document.group)
    const owner = this.#owners.numberOf(this.#ownerIn(document.keys))
    let slot: number
    try {
      slot = open.append(prepared, { group, owner }, change)
    } catch (error) {
      this.#groups.remove(group)
      throw error
    }
    this.#dimensions = dimensions
    this.#remove(document.id)
    this.#leftOut.delete(document.id)
    this.#owners.add(owner, open.shares[slot])
    this.#places.set(document.id, open.serial * SLOTS_MAX + slot)
  }

  /** Returns the owner of a document with these keys. */
  #ownerIn(keys: IndexDocument['keys']): string {
    const { ownerField } = this.definition
    return ownerField === undefined ? TENANT : (keys[ownerField]?.[0] ?? TENANT)
  }

  /** Tells whether a document that is left out stays so, whatever its new values are; a new text is tried again. */
  #keepsOut({ id, textSeq, rest }: ValueReplacement): boolean {
    const leftOut = this.#leftOut.get(id)
    if (leftOut === undefined || textSeq > leftOut.textSeq) return false
    this.#leftOut.add({ ...leftOut, owner: this.#ownerIn(rest().keys) })
    return true
  }

  /**
   * Returns the dimensions of all vectors, which the first document sets.
   * @throws RangeError when a vector has others
   */
  #dimensionsWith({ document }: PreparedDocument): number | null {
    const dimensions = this.#dimensions ?? document.passages[0]?.vector.length ?? null
    if (dimensions === 0) throw new RangeError('a vector without dimensions')
    for (const { vector } of document.passages) {
      if (vector.length === dimensions) continue
      throw new RangeError(`a vector of ${vector.length} dimensions in an index of ${dimensions}`)
    }
    return dimensions
  }

  /** Replaces values. @returns false, with nothing changed, where others may see the document and its text waits */
  #replaceValues(segment: Segment, slot: number, change: ValueReplacement, lacksText: boolean): boolean {
    const before = { group: segment.groups[slot], owner: segment.owners[slot] }
    if (change.signature === segment.signatures[slot]) {
      segment.replaceValues(slot, before, change, null)
      return true
    }
    const rest = change.rest()
    if (lacksText && segment.hasOtherAudience(slot, rest.keys)) return false
    const group = this.#groups.add(rest.group)
    const owner = this.#owners.numberOf(this.#ownerIn(rest.keys))
    segment.replaceValues(slot, { group, owner }, change, rest)
    this.#groups.remove(before.group)
    this.#owners.add(before.owner, -segment.shares[slot])
    this.#owners.add(owner, segment.shares[slot])
    return true
  }

  #remove(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    const segment = this.#bySerial.get(Math.floor(place / SLOTS_MAX))!
    const slot = place % SLOTS_MAX
    segment.kill(slot)
    this.#groups.remove(segment.groups[slot])
    this.#owners.add(segment.owners[slot], -segment.shares[slot])
    this.#places.delete(id)
  }

  #makeSegment(): Segment {
    const serial = this.#nextSerial++
    return new Segment(serial, this.definition, this.#memory, this.#facetValues, this.#propertyValues)
  }

  #addSegment(): Segment {
    const segment = this.#makeSegment()
    this.#segments.push(segment)
    this.#filters.set(segment, new SegmentFilters(segment))
    this.#bySerial.set(segment.serial, segment)
    return segment
  }
}
