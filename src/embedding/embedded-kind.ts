import type { DocumentTables } from '../platform/database/document-tables.ts'
import type { PassageSizes } from './passages.ts'
import type { EmbeddedTexts } from './targets.ts'
import type { IndexPassage } from './vector-codec.ts'

/** Columns with the vectors of a document, besides its key. */
export interface VectorColumns {
  readonly vectors: Buffer
}

/** The column that says which texts of a document its model has read (`text-hashes.ts`). */
export interface HashColumn {
  readonly text_hashes: Buffer | null
}

/**
 * A kind of documents with vectors, such as entries: the tables of the vectors, and the texts that are embedded.
 * @typeParam Row columns of a document from which its texts are made, with its id and version
 * @typeParam Vectors columns of its stored vectors
 */
export interface EmbeddedKind<Row extends { readonly id: string }, Vectors extends VectorColumns> {
  /** Name of the kind in the queue. */
  readonly name: string
  readonly tables: DocumentTables
  /** Column that counts a document's changes, from 1. */
  readonly versionColumn: keyof Row & string
  /** Columns from which the texts are made. */
  readonly textColumns: readonly (keyof Row & string)[]
  /** Columns of the vectors' table that `passagesOf` reads. */
  readonly passageColumns: readonly (keyof Vectors & string)[]
  /** Column with the anchor: the vector of a text that was written to find related documents. Its value may be null. */
  readonly anchorColumn: keyof Vectors & string
  /** Returns the texts of a document to embed, and the encoding of their vectors. @param sizes of its passages */
  textsOf(row: Row, sizes: PassageSizes): EmbeddedTexts<Vectors>
  /** Returns stored vectors in the order of the texts that they were made of. @param count number of these texts */
  vectorsOf(stored: Vectors, count: number): Float32Array[]
  /** Tells whether the built-in model embeds the document so fast that a write can wait for it. */
  isShort(row: Row): boolean
  /** Returns the passages of a document from the vectors that were stored for this state of the document. */
  passagesOf(row: Row, stored: Vectors): IndexPassage[]
}

/** Tells whether two states of a document have the same texts, and so the same vectors. */
export function sameEmbeddedText<Row extends { readonly id: string }>(
  { textColumns }: Pick<EmbeddedKind<Row, VectorColumns>, 'textColumns'>,
  one: Row,
  other: Row,
): boolean {
  return textColumns.every((column) => one[column] === other[column])
}
