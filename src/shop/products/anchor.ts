import type { Queries } from '../../platform/database/database.ts'
import { decodeVector, decodeVectors } from '../../embedding/vector-codec.ts'
import { meanOf } from '../../embedding/vectors.ts'
import { embeddingTextsOf } from './indexing/embedding-texts.ts'
import { findProduct } from './store.ts'

/**
 * The vector that stands for a whole product: that of its similarity text, else the mean of its embedding texts.
 * @returns a vector of length 1, or null while the product has none of the model
 */
export async function findAnchor(
  db: Queries,
  tenantId: string,
  productId: string,
  model: string | null,
): Promise<Float32Array | null> {
  if (model === null) return null
  const product = await findProduct(db, tenantId, productId)
  if (product === null) return null
  const row = await db
    .selectFrom('product_vectors')
    .select(['vectors', 'similarity'])
    .where('tenant_id', '=', tenantId)
    .where('product_id', '=', productId)
    .where('model', '=', model)
    .executeTakeFirst()
  if (row === undefined) return null
  if (row.similarity !== null) return decodeVector(row.similarity)
  return meanOf(decodeVectors(row.vectors, embeddingTextsOf(product).length))
}
