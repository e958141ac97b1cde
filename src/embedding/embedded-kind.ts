import type { DocumentTables } from '../platform/database/document-tables.ts'
import type { EmbeddedTexts } from './targets.ts'
import type { IndexPassage } from './vector-codec.ts'

/** The columns that keep the vectors of a document, beside its key. */
export interface VectorColumns {
  readonly vectors: Buffer
}

/**
 * A kind of documents that have vectors, such as entries: where they are kept and which texts they are embedded by.
 * @typeParam Row what a document's texts are made of, with its id and version
 * @typeParam Vectors how its vectors are stored
 */
export interface EmbeddedKind<Row extends { readonly id: string }, Vectors extends VectorColumns> {
  /** Names the kind in the queue. */
  readonly name: string
  readonly tables: DocumentTables
  /** Counts a document's changes from 1. */
  readonly versionColumn: keyof Row & string
  /** The columns that the texts are made of. */
  readonly textColumns: readonly (keyof Row & string)[]
  /** The columns of the vectors' table that `passagesOf` reads. */
  readonly passageColumns: readonly (keyof Vectors & string)[]
  /** The column of the vectors' table that holds the vector of a text written to find related documents; may be null. */
  readonly anchorColumn: keyof Vectors & string
  textsOf(row: Row): EmbeddedTexts<Vectors>
  /** Whether the built-in model embeds the document so fast that a write can wait for it. */
  isShort(row: Row): boolean
  /** The passages that `textsOf` had stored for this state of the document. */
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
