import type { Queries, Tx } from '../platform/database/database.ts'
import { EmbeddingNonsense } from './embedder.ts'
import type { EmbeddingTargets } from './targets.ts'

/**
 * The provider's vectors have another length than those that are stored under the same model, and cannot be compared
 * with them. The provider has another model under the name now, or it erred once.
 */
export class WrongVectorLength extends EmbeddingNonsense {
  constructor(model: string, answered: number, stored: number) {
    super(
      `the embedding provider answered vectors of ${answered} numbers, those stored for ${model} have ${stored}: set ` +
        'EMBEDDING_MODEL or EMBEDDING_DIMENSIONS, or run knowledge reindex if the model itself has changed',
    )
  }
}

/** The length of a tenant's vectors of a model, of every kind of items; null while there are none. */
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
 * Checks vectors that are about to be stored against those that lie under the model; the first ones choose the length.
 * Call it after `advanceWatermark`, which makes the writers of a tenant wait for each other: else two could both be
 * first.
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
