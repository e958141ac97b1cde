import type { Tx } from '../../../platform/database/database.ts'
import type { EntryRow } from '../../../platform/database/tables.ts'
import { BUILTIN_ID } from '../../../embedding/builtin/builtin.ts'
import type { EmbedderPool } from '../../../embedding/embedder-pool.ts'
import { enqueueJobs } from '../../../embedding/jobs.ts'
import { adoptModel, modelsOfWrite } from '../../../embedding/write-models.ts'
import { deleteVectors, embeddingItemOf, ENTRY_KIND, saveVectors } from './embedding-target.ts'

/**
 * Content up to this many characters is embedded within the write when the built-in model is used: about
 * 2 ms of the thread that answers HTTP. Longer content, and other models, go through the queue.
 */
const INLINE_CONTENT_MAX = 20_000

/** The vectors of an entry about to be written. */
interface PlannedVectors {
  /** The entry's `embedding_model` once `store` has run. */
  readonly embeddingModel: string | null
  /** Stores the vectors or the jobs that make them; call it in the entry's transaction, after its row is there. */
  store(tx: Tx): Promise<void>
}

/**
 * Decides how an entry gets its vectors: at once where that is a matter of microseconds, else by a job.
 * @param active the model the tenant's search compares with; null before its first entry
 */
export async function planVectors(
  embedders: EmbedderPool,
  row: EntryRow,
  active: string | null,
): Promise<PlannedVectors> {
  const { tenant_id: tenantId, id } = row
  const models = modelsOfWrite(embedders, active)
  const inline = models.has(BUILTIN_ID) && row.content.length <= INLINE_CONTENT_MAX
  const item = inline ? embeddingItemOf(row) : null
  const vectors = item === null ? [] : await embedders.of(BUILTIN_ID)!.embed(item.texts, 'passage')
  return {
    embeddingModel: inline && (active ?? embedders.current.id) === BUILTIN_ID ? BUILTIN_ID : null,
    async store(tx) {
      await adoptModel(tx, embedders, tenantId, active)
      await deleteVectors(tx, tenantId, id)
      for (const model of models) {
        if (item !== null && model === BUILTIN_ID) await saveVectors(tx, tenantId, model, item, vectors)
        else if (embedders.of(model) !== null) await enqueueJobs(tx, tenantId, ENTRY_KIND, model, [id])
      }
    },
  }
}
