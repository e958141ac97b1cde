import type { Queries, Tx } from '../platform/database/database.ts'

/** Texts that want vectors, and how those are stored. */
export interface EmbeddedTexts<Vectors = object> {
  readonly texts: readonly string[]
  /** The columns to store, by name. @param vectors in the order of the texts */
  readonly encode: (vectors: readonly Float32Array[]) => Vectors
}

/** One item with its texts. */
export interface EmbeddingItem extends EmbeddedTexts {
  readonly id: string
  /** Tells whether the item is still what it was when its texts were read. */
  readonly version: number
}

/** A kind of thing that has vectors. Its domain says which texts they are made of and where they are kept. */
export interface EmbeddingTarget {
  readonly kind: string
  /** The items of those ids that still exist. */
  load(db: Queries, tenantId: string, ids: readonly string[]): Promise<EmbeddingItem[]>
  /**
   * Keeps the vectors, in the order of the item's texts, and stamps the item with `seq` for search.
   * @returns false, with nothing changed, when the item is another version by now or gone
   */
  save(
    tx: Tx,
    tenantId: string,
    model: string,
    item: EmbeddingItem,
    vectors: readonly Float32Array[],
    seq: number,
  ): Promise<boolean>
  /** Ids of at most `limit` items after `afterId` that have no vectors of the model, in the order of their ids. */
  missing(db: Queries, tenantId: string, model: string, afterId: string, limit: number): Promise<string[]>
  /** How many items there are, and how many have vectors of the model. */
  count(db: Queries, tenantId: string, model: string): Promise<{ items: number; embedded: number }>
  /** The tenant's search compares with `model` from now on: marks the items that have its vectors accordingly. */
  activate(tx: Tx, tenantId: string, model: string): Promise<void>
  /** Deletes vectors of at most `limit` items that are of other models than `model`. @returns how many it found */
  forgetOthers(tx: Tx, tenantId: string, model: string, limit: number): Promise<number>
}

export type EmbeddingTargets = readonly EmbeddingTarget[]

export type TargetsOf = () => EmbeddingTargets
