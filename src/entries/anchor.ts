import type { Queries } from '../database/database.ts'
import { decodePassages, decodeVector } from './vector-codec.ts'

/**
 * The vector that stands for a whole entry: that of its related-themes text, else the mean of its passages.
 * @returns a vector of length 1, or null while the entry has none of the model
 */
export async function findAnchor(
  db: Queries,
  tenantId: string,
  entryId: string,
  model: string | null,
): Promise<Float32Array | null> {
  if (model === null) return null
  const row = await db
    .selectFrom('entry_vectors')
    .select(['offsets', 'vectors', 'related'])
    .where('tenant_id', '=', tenantId)
    .where('entry_id', '=', entryId)
    .where('model', '=', model)
    .executeTakeFirst()
  if (row === undefined) return null
  return row.related === null ? meanOf(decodePassages(row).map((passage) => passage.vector)) : decodeVector(row.related)
}

function meanOf(vectors: readonly Float32Array[]): Float32Array | null {
  if (vectors.length === 0) return null
  const mean = new Float32Array(vectors[0].length)
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i] += vector[i]
  const length = Math.hypot(...mean)
  return length === 0 ? null : mean.map((component) => component / length)
}
