import type { DocumentTables } from '../platform/database/document-tables.ts'
import type { EmbeddedTexts } from './targets.ts'
import type { IndexPassage } from './vector-codec.ts'

/** The columns with the vectors of a document, besides its key. */
export interface VectorColumns {
  readonly vectors: Buffer
}

/**
 * A kind of documents with vectors, such as entries: where the vectors are stored and which texts they are made from.
 * @typeParam Row the values that a document's texts are made from, with its id and version
 * @typeParam Vectors how its vectors are stored
 */
export interface EmbeddedKind<Row extends { readonly id: string }, Vectors extends VectorColumns> {
  /** The kind's name in the queue. */
  readonly name: string
  readonly tables: DocumentTables
  /** The column that counts a document's changes, starting at 1. */
  readonly versionColumn: keyof Row & string
  /** The columns that the texts are made from. */
  readonly textColumns: readonly (keyof Row & string)[]
  /** The columns of the vectors' table that `passagesOf` reads. */
  readonly passageColumns: readonly (keyof Vectors & string)[]
  /** The column with the vector of a text written to find related documents; its value may be null. */
  readonly anchorColumn: keyof Vectors & string
  textsOf(row: Row): EmbeddedTexts<Vectors>
  /** Whether the built-in model embeds the document fast enough for a write to wait for it. */
  isShort(row: Row): boolean
  /** The passages that were stored from `textsOf` for this state of the document. */
  passagesOf(row: Row, stored: Vectors): IndexPassage[]
}

/** Whether two states of a document have the same vectors. */
export function sameEmbeddedText<Row extends { readonly id: string }>(
  { textColumns }: Pick<EmbeddedKind<Row, VectorColumns>, 'textColumns'>,
  one: Row,
  other: Row,
): boolean {
  return textColumns.every((column) => one[column] === other[column])
}
