import type { Queries } from '../../../platform/database/database.ts'
import { decodePassages, decodeVector } from '../../../embedding/vector-codec.ts'
import { meanOf } from '../../../embedding/vectors.ts'

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
