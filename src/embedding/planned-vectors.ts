import type { TenantContext } from '../platform/access/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import { threadSlices } from '../platform/threads/slices.ts'
import { isBuiltin } from './builtin/builtin.ts'
import type { EmbeddedKind, VectorColumns } from './embedded-kind.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { enqueueJobs } from './job-store.ts'
import { deleteVectors, saveVectors } from './vector-store.ts'
import { adoptModel, modelsOfWrite } from './write-models.ts'

/** The vectors of documents that are about to be written, new or changed. */
interface PlannedVectors {
  /** A document's `embedding_model` after `store`; null if a job has yet to make its vectors. */
  modelOf(id: string): string | null
  /**
   * Stores the vectors, or the jobs that will make them. Call it in the documents' transaction, after storing their
   * rows.
   */
  store(tx: Tx): Promise<void>
}

/** Transactions that have stored jobs. */
const queueing = new WeakSet<Tx>()

/** Whether planned vectors of this transaction were left to jobs, so that the queue has to be woken. */
export function hasQueued(tx: Tx): boolean {
  return queueing.has(tx)
}

/** Whether the tenant has used up what it may embed this month. */
export function isPaused({ embeddingPausedUntil: until = 0 }: Pick<TenantContext, 'embeddingPausedUntil'>): boolean {
  return until > Date.now()
}

/**
 * Decides how documents get their vectors: at once if a built-in model embeds them and they are short, else by a job.
 * Between two documents, other work gets its turn.
 * @param rows of one tenant, at least one
 * @param active the model that the tenant searches with; null before its first vectors
 * @param isPaused whether nothing is embedded for the tenant now: then jobs wait until it may be
 */
export async function planVectors<Row extends { readonly id: string }, Vectors extends VectorColumns>(
  kind: EmbeddedKind<Row, Vectors>,
  embedders: EmbedderPool,
  rows: readonly (Row & { readonly tenant_id: string })[],
  active: string | null,
  isPaused = false,
): Promise<PlannedVectors> {
  const tenantId = rows[0].tenant_id
  const models = modelsOfWrite(embedders, active)
  const made = new Map([...models].filter(isBuiltin).map((model) => [model, new Map<string, Vectors>()]))
  const atOnce = made.size > 0 && !isPaused ? rows.filter((row) => kind.isShort(row)) : []
  for (const row of atOnce) {
    const { texts, encode } = kind.textsOf(row)
    for (const [model, ofModel] of made) {
      await threadSlices.pauseHolding()
      ofModel.set(row.id, encode(await embedders.embed(embedders.of(model)!, tenantId, texts)))
    }
  }
  const searched = active ?? embedders.current.id
  return {
    modelOf: (id) => (made.get(searched)?.has(id) ? searched : null),
    async store(tx) {
      await adoptModel(tx, embedders, tenantId, active)
      const replaced = rows.filter((row) => Number(row[kind.versionColumn]) > 1).map((row) => row.id)
      await deleteVectors(tx, kind.tables, tenantId, replaced)
      for (const [model, ofModel] of made) {
        const stored = Array.from(ofModel, ([id, columns]) => ({ id, columns }))
        await saveVectors(tx, kind.tables, tenantId, model, stored)
      }
      for (const model of models) {
        if (embedders.of(model) === null) continue
        const ofModel = made.get(model)
        const waiting = ofModel === undefined ? rows : rows.filter((row) => !ofModel.has(row.id))
        const ids = waiting.map((row) => row.id)
        if (ids.length === 0) continue
        await enqueueJobs(tx, tenantId, kind.name, model, ids)
        queueing.add(tx)
      }
    },
  }
}
