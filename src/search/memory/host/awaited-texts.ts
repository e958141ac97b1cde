import type { ValueReplacement } from '../../engine.ts'
import { UNKNOWN_TEXT_BYTES } from '../../indexing/change-batches.ts'
import { mapBytes } from '../columns/memory-size.ts'

/** Assumed bytes of a document that waits, beside its entry in the map. */
const DOCUMENT_BYTES = 120

/** A document whose values are in the index and whose text is not. */
export interface AwaitedText {
  readonly id: string
  /** Number of the first change whose text the index may lack. */
  readonly since: number
  /** Number of the last change with which it was seen to lack its text. */
  readonly lastSeq: number
  /** Number of the change that last altered the text. */
  readonly textSeq: number
  /** Stored bytes of the text. */
  readonly bytes: number
}

/** The documents of a replica whose text is still to be read and analysed, the longest waiting first. */
export class AwaitedTexts {
  readonly #documents = new Map<string, AwaitedText>()
  readonly #hidden = new Set<string>()

  get size(): number {
    return this.#documents.size
  }

  get heapBytes(): number {
    return mapBytes(this.size) + this.size * DOCUMENT_BYTES + mapBytes(this.#hidden.size)
  }

  /** How many documents were found before and are not until their text is read, because others may see it then. */
  get hidden(): number {
    return this.#hidden.size
  }

  /** Number of the first change whose text the index may lack; Infinity if it lacks none. */
  get since(): number {
    return this.#documents.values().next().value?.since ?? Infinity
  }

  has(id: string): boolean {
    return this.#documents.has(id)
  }

  /**
   * Notes that a document lacks its text. A document that waits already keeps its place.
   * @param since number of the first change whose text the index may lack
   */
  note({ id, seq, textSeq, textBytes }: ValueReplacement, since: number): void {
    const before = this.#documents.get(id)
    const bytes = textBytes ?? before?.bytes ?? UNKNOWN_TEXT_BYTES
    this.#documents.set(id, { id, since: before?.since ?? since, lastSeq: seq, textSeq, bytes })
  }

  /** Notes that a document that waits is not found until its text is read. */
  noteHidden(id: string): void {
    this.#hidden.add(id)
  }

  /** Notes that the index has the text of a document as of a change. */
  noteApplied(id: string, textSeq: number): void {
    if ((this.#documents.get(id)?.textSeq ?? Infinity) <= textSeq) this.#delete(id)
  }

  /** Drops a document that is gone without a tombstone, unless its values were read again since it was listed. */
  forgetUnseen({ id, lastSeq }: AwaitedText): void {
    if (this.#documents.get(id)?.lastSeq === lastSeq) this.#delete(id)
  }

  /** Notes that a document needs no text any more since a change. */
  forget(id: string, seq: number): void {
    if ((this.#documents.get(id)?.textSeq ?? Infinity) <= seq) this.#delete(id)
  }

  /** Returns the documents that have waited longest, at most `limit`. */
  first(limit: number): AwaitedText[] {
    return this.#documents.values().take(limit).toArray()
  }

  #delete(id: string): void {
    this.#documents.delete(id)
    this.#hidden.delete(id)
  }
}
