import type { ProductRow, ProductVectorsRow } from '../../../platform/database/tables.ts'
import type { EmbeddedKind } from '../../../embedding/embedded-kind.ts'
import { decodeVector, decodeVectors, encodeVector } from '../../../embedding/vector-codec.ts'
import { EMBEDDED_COLUMNS, type EmbeddedColumns, embeddingTextsOf, similarityTextOf } from './embedding-texts.ts'

type EmbeddedProduct = EmbeddedColumns & Pick<ProductRow, 'id' | 'revision'>
export type ProductVectors = Pick<ProductVectorsRow, 'vectors' | 'similarity'>

/**
 * Embedding of products: a vector for each embedding text, and one for the similarity text if there is one. Retired
 * products keep their vectors, in case a later sync names them.
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
  // Vector of the similarity text, which is written to find similar products.
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

  vectorsOf: ({ vectors, similarity }, count) =>
    similarity === null
      ? decodeVectors(vectors, count)
      : [...decodeVectors(vectors, count - 1), decodeVector(similarity)],

  // All texts are cut to a short length, so the built-in model always embeds a product within the write.
  isShort: () => true,

  passagesOf: (row, { vectors }) =>
    decodeVectors(vectors, embeddingTextsOf(row).length).map((vector) => ({ vector, start: 0, end: 0 })),
}
