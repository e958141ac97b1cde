import type { Queries, Tx } from '../platform/database/database.ts'
import { EmbeddingNonsense } from './embedder.ts'
import type { EmbeddingTargets } from './targets.ts'

/**
 * Says that a provider's vectors have another length than the stored vectors of the same model, so that both cannot be
 * compared. The provider has another model under the name now, or it erred once.
 */
export class WrongVectorLength extends EmbeddingNonsense {
  constructor(model: string, answered: number, stored: number) {
    super(
      `the embedding provider answered vectors of ${answered} numbers, those stored for ${model} have ${stored}: set ` +
        'EMBEDDING_MODEL or EMBEDDING_DIMENSIONS, or run knowledge reindex if the model itself has changed',
    )
  }
}

/**
 * Returns the length of a tenant's stored vectors of a model, which all kinds of items share; null while there are
 * none.
 */
export async function storedLength(
  db: Queries,
  targets: EmbeddingTargets,
  tenantId: string,
  model: string,
): Promise<number | null> {
  for (const target of targets) {
    const length = await target.lengthOfVectors(db, tenantId, model)
    if (length !== null) return length
  }
  return null
}

/**
 * Checks the length of vectors that are about to be stored against the stored vectors of the model. The first vectors
 * that are stored set the length. Call it after `advanceWatermark`, which makes the writers of a tenant wait for each
 * other: otherwise two writers could both be first.
 * @throws WrongVectorLength
 */
export async function requireStoredLength(
  tx: Tx,
  targets: EmbeddingTargets,
  tenantId: string,
  model: string,
  vectors: readonly Float32Array[],
): Promise<void> {
  if (vectors.length === 0) return
  const expected = (await storedLength(tx, targets, tenantId, model)) ?? vectors[0].length
  const wrong = vectors.find(({ length }) => length !== expected)
  if (wrong !== undefined) throw new WrongVectorLength(model, wrong.length, expected)
}
