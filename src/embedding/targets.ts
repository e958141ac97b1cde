import type { Queries, Tx } from '../platform/database/database.ts'

/** Texts to embed, and how their vectors are stored. */
export interface EmbeddedTexts<Vectors = object> {
  readonly texts: readonly string[]
  /** The columns to store, by name. @param vectors in the order of the texts */
  readonly encode: (vectors: readonly Float32Array[]) => Vectors
}

/** One item with its texts. */
export interface EmbeddingItem extends EmbeddedTexts {
  readonly id: string
  /** The version whose texts were read; it shows whether the item has changed since. */
  readonly version: number
}

/** A kind of items with vectors. Its domain defines which texts they are made from and where they are stored. */
export interface EmbeddingTarget {
  readonly kind: string
  /** The items with these ids that still exist. */
  load(db: Queries, tenantId: string, ids: readonly string[]): Promise<EmbeddingItem[]>
  /**
   * Stores the vectors, in the order of the item's texts, and stamps the item with `seq` for search.
   * @returns false, with nothing changed, if the item has another version now or was deleted
   */
  save(
    tx: Tx,
    tenantId: string,
    model: string,
    item: EmbeddingItem,
    vectors: readonly Float32Array[],
    seq: number,
  ): Promise<boolean>
  /** Ids of items after `afterId` without vectors of the model, at most `limit`, ordered by id. */
  missing(db: Queries, tenantId: string, model: string, afterId: string, limit: number): Promise<string[]>
  /** How many items exist, and how many of them have vectors of the model. */
  count(db: Queries, tenantId: string, model: string): Promise<{ items: number; embedded: number }>
  /** The length of the stored vectors of the model, read from any of them; null if there are none. */
  lengthOfVectors(db: Queries, tenantId: string, model: string): Promise<number | null>
  /** Marks the items that have vectors of `model`, because the tenant's search uses it from now on. */
  activate(tx: Tx, tenantId: string, model: string): Promise<void>
  /** Whether there are vectors of models other than `model`. */
  hasOthers(db: Queries, tenantId: string, model: string): Promise<boolean>
  /** Deletes vectors of models other than `model`, for at most `limit` items. @returns how many items it found */
  forgetOthers(tx: Tx, tenantId: string, model: string, limit: number): Promise<number>
  /**
   * Deletes the vectors of `model` for at most `limit` items, and stamps with `seq` those whose search used them.
   * @returns how many items it found
   */
  forget(tx: Tx, tenantId: string, model: string, seq: number, limit: number): Promise<number>
}

export type EmbeddingTargets = readonly EmbeddingTarget[]

export type TargetsOf = () => EmbeddingTargets
