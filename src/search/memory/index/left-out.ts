/** The documents of an index that search leaves out, since the memory of their tenant is full. */
import { mapBytes } from '../columns/memory-size.ts'
import type { DocumentShare } from './shares.ts'

/** Bytes of a document's id and numbers, beside its entry in the map. */
const DOCUMENT_BYTES = 120

/** A document that is left out. */
export interface LeftOut extends DocumentShare {
  readonly id: string
  /** Number of the change that last altered the text. */
  readonly textSeq: number
}

/** Documents that are left out, as columns, for snapshots. */
export interface LeftOutColumns {
  readonly ids: readonly string[]
  readonly owners: readonly string[]
  readonly textSeqs: readonly number[]
  readonly bytes: readonly number[]
}

export class LeftOutDocuments {
  readonly #documents = new Map<string, LeftOut>()
  /** By owner, how many documents are left out. */
  readonly #counts = new Map<string, number>()

  get size(): number {
    return this.#documents.size
  }

  get heapBytes(): number {
    return this.size === 0 ? 0 : mapBytes(this.size) + this.size * DOCUMENT_BYTES
  }

  /** The owners of the documents. */
  get owners(): IterableIterator<string> {
    return this.#counts.keys()
  }

  get columns(): LeftOutColumns {
    const all = [...this.#documents.values()]
    return {
      ids: all.map(({ id }) => id),
      owners: all.map(({ owner }) => owner),
      textSeqs: all.map(({ textSeq }) => textSeq),
      bytes: all.map(({ bytes }) => bytes),
    }
  }

  get(id: string): LeftOut | undefined {
    return this.#documents.get(id)
  }

  add(document: LeftOut): void {
    this.delete(document.id)
    this.#documents.set(document.id, document)
    this.#counts.set(document.owner, (this.#counts.get(document.owner) ?? 0) + 1)
  }

  delete(id: string): void {
    const document = this.#documents.get(id)
    if (document === undefined) return
    this.#documents.delete(id)
    const count = this.#counts.get(document.owner)! - 1
    if (count === 0) this.#counts.delete(document.owner)
    else this.#counts.set(document.owner, count)
  }

  restore({ ids, owners, textSeqs, bytes }: LeftOutColumns): void {
    for (const [i, id] of ids.entries()) {
      this.add({ id, owner: owners[i], textSeq: textSeqs[i], bytes: bytes[i] })
    }
  }

  /** Returns an owner's documents whose text is oldest, the oldest first, at most `limit`. */
  oldestOf(owner: string, limit: number): LeftOut[] {
    return this.#first(limit, (one, other) => one.textSeq - other.textSeq, owner)
  }

  /** Returns the documents whose text is newest, the newest first, at most `limit`. */
  newest(limit: number): LeftOut[] {
    return this.#first(limit, (one, other) => other.textSeq - one.textSeq)
  }

  /** Returns the first documents of an order, without sorting all of them. */
  #first(limit: number, compare: (one: LeftOut, other: LeftOut) => number, owner?: string): LeftOut[] {
    let first: LeftOut[] = []
    for (const document of this.#documents.values()) {
      if (owner !== undefined && document.owner !== owner) continue
      first.push(document)
      if (first.length >= 2 * limit) first = first.sort(compare).slice(0, limit)
    }
    return first.sort(compare).slice(0, limit)
  }
}
