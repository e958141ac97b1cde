import type { Tx } from '../../../platform/database/database.ts'
import type { ProductRow } from '../../../platform/database/tables.ts'
import { BUILTIN_ID } from '../../../embedding/builtin/builtin.ts'
import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { enqueueJobs } from '../../../embedding/jobs.ts'
import type { EmbeddingItem } from '../../../embedding/targets.ts'
import { adoptModel, modelsOfWrite } from '../../../embedding/write-models.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import { embeddingItemOf, PRODUCT_KIND, saveVectors, vectorsRowOf } from './embedding-target.ts'
import { deleteVectors } from '../store.ts'
import { inRuns } from '../bulk/runs.ts'

/** The vectors of products about to be written, new ones and changed ones. */
interface PlannedVectors {
  /** Their `embedding_model` once `store` has run. */
  readonly embeddingModel: string | null
  /** Stores the vectors or the jobs that make them; call it in the products' transaction, after their rows are there. */
  store(tx: Tx): Promise<void>
}

/**
 * Makes the vectors at once where the built-in model does it; other models go through the queue.
 * @param rows of one tenant, at least one
 * @param active the model the tenant's search compares with; null before its first vectors
 */
export async function planVectors(
  embedders: EmbedderPool,
  rows: readonly ProductRow[],
  active: string | null,
): Promise<PlannedVectors> {
  const tenantId = rows[0].tenant_id
  const ids = rows.map((row) => row.id)
  const models = modelsOfWrite(embedders, active)
  const made = models.has(BUILTIN_ID) ? await embedAll(embedders, rows) : null
  return {
    embeddingModel: made !== null && (active ?? embedders.current.id) === BUILTIN_ID ? BUILTIN_ID : null,
    async store(tx) {
      await adoptModel(tx, embedders, tenantId, active)
      const replaced = rows.filter((row) => row.revision > 1).map((row) => row.id)
      await deleteVectors(tx, tenantId, replaced)
      for (const model of models) {
        if (made !== null && model === BUILTIN_ID) {
          const vectors = made.map(({ item, vectors }) => vectorsRowOf(tenantId, model, item, vectors))
          await inRuns(vectors, (some) => saveVectors(tx, some))
        } else if (embedders.of(model) !== null) await enqueueJobs(tx, tenantId, PRODUCT_KIND, model, ids)
      }
    },
  }
}

async function embedAll(
  embedders: EmbedderPool,
  rows: readonly ProductRow[],
): Promise<{ item: EmbeddingItem; vectors: Float32Array[] }[]> {
  const builtin = embedders.of(BUILTIN_ID)!
  const made: { item: EmbeddingItem; vectors: Float32Array[] }[] = []
  for (const row of rows) {
    await threadSlices.pauseHolding()
    const item = embeddingItemOf(row)
    made.push({ item, vectors: await builtin.embed(item.texts, 'passage') })
  }
  return made
}
