import type { TenantContext } from '../platform/access/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import { threadSlices } from '../platform/threads/slices.ts'
import { BUILTIN_ID } from './builtin/builtin.ts'
import type { EmbeddedKind, VectorColumns } from './embedded-kind.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { enqueueJobs } from './job-store.ts'
import { deleteVectors, saveVectors } from './vector-store.ts'
import { adoptModel, modelsOfWrite } from './write-models.ts'

/** The vectors of documents that are about to be written, new or changed. */
export interface PlannedVectors {
  /** Returns a document's `embedding_model` after `store`; null if a job has yet to make its vectors. */
  modelOf(id: string): string | null
  /**
   * Stores the vectors, or the jobs that will make them. Call it in the documents' transaction, after their rows are
   * stored.
   */
  store(tx: Tx): Promise<void>
}

/** Transactions in which `store` has added jobs. */
const queueing = new WeakSet<Tx>()

/** Tells whether this transaction has added jobs, so that the queue has to be woken after the commit. */
export function hasQueued(tx: Tx): boolean {
  return queueing.has(tx)
}

/** Tells whether the tenant has used up its monthly quota of embedding. */
export function isPaused({ embeddingPausedUntil: until = 0 }: Pick<TenantContext, 'embeddingPausedUntil'>): boolean {
  return until > Date.now()
}

/**
 * Decides how documents get their vectors: at once if the built-in model embeds them and they are short, else by a job.
 * Between two documents, other work gets its turn.
 * @param rows documents of one tenant, at least one
 * @param active id of the model that the tenant searches with; null before its first vectors
 * @param isPaused whether nothing may be embedded for the tenant now. Then all vectors are left to jobs, which wait
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
  const vectors = new Map<string, Vectors>()
  const atOnce = models.has(BUILTIN_ID) && !isPaused ? rows.filter((row) => kind.isShort(row)) : []
  for (const row of atOnce) {
    const { texts, encode } = kind.textsOf(row)
    await threadSlices.pauseHolding()
    vectors.set(row.id, encode(await embedders.embed(embedders.of(BUILTIN_ID)!, tenantId, texts)))
  }
  const searched = active ?? embedders.current.id
  return {
    modelOf: (id) => (searched === BUILTIN_ID && vectors.has(id) ? searched : null),
    async store(tx) {
      await adoptModel(tx, embedders, tenantId, active)
      const replaced = rows.filter((row) => Number(row[kind.versionColumn]) > 1).map((row) => row.id)
      await deleteVectors(tx, kind.tables, tenantId, replaced)
      const stored = Array.from(vectors, ([id, columns]) => ({ id, columns }))
      await saveVectors(tx, kind.tables, tenantId, BUILTIN_ID, stored)
      for (const model of models) {
        if (embedders.of(model) === null) continue
        const waiting = model === BUILTIN_ID ? rows.filter((row) => !vectors.has(row.id)) : rows
        const ids = waiting.map((row) => row.id)
        if (ids.length === 0) continue
        await enqueueJobs(tx, tenantId, kind.name, model, ids)
        queueing.add(tx)
      }
    },
  }
}
