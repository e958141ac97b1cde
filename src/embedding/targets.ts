import type { TextsToRead } from './move-cost.ts'
import type { Queries, Tx } from '../platform/database/database.ts'
import type { Embedder } from './embedder.ts'
import type { ReadVectors } from './vector-store.ts'

/** Texts to embed, and the encoding of their vectors. */
export interface EmbeddedTexts<Vectors = object> {
  readonly texts: readonly string[]
  /** Returns the columns to store, by name. @param vectors vectors in the order of the texts */
  readonly encode: (vectors: readonly Float32Array[]) => Vectors
}

/** One item with its texts. */
export interface EmbeddingItem extends EmbeddedTexts {
  readonly id: string
  /** Version whose texts were read, by which `save` notices a later change. */
  readonly version: number
  /** What is stored for these texts of a model with stand-ins; null without, and for another model. */
  readonly stored: ReadVectors | null
}

/** Vectors of an item to store. */
export interface VectorsToSave {
  /** In the order of the item's texts. */
  readonly vectors: readonly Float32Array[]
  /** Hash of each text that the model has read, null for one that waits; null for a model without stand-ins. */
  readonly hashes: readonly (string | null)[] | null
  /** Whether searches use the vectors from now on. Else they keep what they have until the next time. */
  readonly isSearched: boolean
}

/** What decides the texts of an item: the embedder that takes them. */
type TextTaker = Pick<Embedder, 'id' | 'passageSizes' | 'standIn'>

/** A kind of items with vectors, as the queue handles it. The kind's domain defines the texts and the tables. */
export interface EmbeddingTarget {
  /** Name of the kind in the queue. */
  readonly kind: string
  /** Name of the table of the items. */
  readonly documents: string
  /** Reads those items that still exist, with the texts that an embedder takes. */
  load(db: Queries, tenantId: string, ids: readonly string[], embedder: TextTaker): Promise<EmbeddingItem[]>
  /**
   * Stores the vectors, and stamps the item with `seq` for search.
   * @returns false, with nothing changed, if the item has another version now or was deleted
   */
  save(
    tx: Tx,
    tenantId: string,
    model: string,
    item: EmbeddingItem,
    vectors: VectorsToSave,
    seq: number,
  ): Promise<boolean>
  /**
   * Returns the ids of items behind `afterId` without vectors of the model or with texts that wait to be read, at most
   * `limit`, in the order of the ids.
   */
  missing(db: Queries, tenantId: string, model: string, afterId: string, limit: number): Promise<string[]>
  /** Counts the items, and those of them that have vectors of the model. */
  count(db: Queries, tenantId: string, model: string): Promise<{ items: number; embedded: number }>
  /**
   * Returns how much text is in the items that `missing` returns. It reads the lengths of the texts, not the texts.
   */
  textsToRead(db: Queries, tenantId: string, model: string): Promise<TextsToRead>
  /** Returns the length of the stored vectors of the model, read from any one of them; null if there are none. */
  lengthOfVectors(db: Queries, tenantId: string, model: string): Promise<number | null>
  /** Marks the items that have vectors of `model`, because the tenant's search uses this model from now on. */
  activate(tx: Tx, tenantId: string, model: string): Promise<void>
  /** Tells whether there are vectors of models other than `model`. */
  hasOthers(db: Queries, tenantId: string, model: string): Promise<boolean>
  /** Deletes vectors of models other than `model`, for at most `limit` items. @returns how many items lost vectors */
  forgetOthers(tx: Tx, tenantId: string, model: string, limit: number): Promise<number>
  /**
   * Deletes the vectors of `model` for at most `limit` items. Stamps with `seq` those items whose vectors search used.
   * @returns how many items lost vectors
   */
  forget(tx: Tx, tenantId: string, model: string, seq: number, limit: number): Promise<number>
}

export type EmbeddingTargets = readonly EmbeddingTarget[]

/** The function that the threads call for the kinds of items; see `QueueWorkerData.targetsModule`. */
export type TargetsOf = () => EmbeddingTargets
