import type { ProductRow, ProductVectorsRow } from '../../../platform/database/tables.ts'
import type { EmbeddedKind } from '../../../embedding/embedded-kind.ts'
import { decodeVectors, encodeVector } from '../../../embedding/vector-codec.ts'
import { EMBEDDED_COLUMNS, type EmbeddedColumns, embeddingTextsOf, similarityTextOf } from './embedding-texts.ts'

type EmbeddedProduct = EmbeddedColumns & Pick<ProductRow, 'id' | 'revision'>
export type ProductVectors = Pick<ProductVectorsRow, 'vectors' | 'similarity'>

/**
 * A product has a vector for each embedding text, and one for its similarity text if it has one. Retired products keep
 * their vectors in case they come back.
 */
export const PRODUCT_EMBEDDING: EmbeddedKind<EmbeddedProduct, ProductVectors> = {
  name: 'product',
  tables: {
    documents: 'products',
    vectors: 'product_vectors',
    tombstones: 'product_tombstones',
    idColumn: 'product_id',
  },
  versionColumn: 'revision',
  textColumns: EMBEDDED_COLUMNS,
  passageColumns: ['vectors'],
  anchorColumn: 'similarity',

  textsOf(row) {
    const texts = embeddingTextsOf(row).map(({ text }) => text)
    const similarity = similarityTextOf(row)
    return {
      texts: similarity === null ? texts : [...texts, similarity],
      encode: (vectors) => ({
        vectors: Buffer.concat(vectors.slice(0, texts.length).map(encodeVector)),
        similarity: similarity === null ? null : encodeVector(vectors[texts.length]),
      }),
    }
  },

  // All texts are cut to a short length.
  isShort: () => true,

  passagesOf: (row, { vectors }) =>
    decodeVectors(vectors, embeddingTextsOf(row).length).map((vector) => ({ vector, start: 0, end: 0 })),
}
