import type { TenantContext } from '../platform/access/caller.ts'
import type { Tx } from '../platform/database/database.ts'
import { threadSlices } from '../platform/threads/slices.ts'
import { BUILTIN_ID } from './builtin/builtin.ts'
import type { EmbeddedKind, VectorColumns } from './embedded-kind.ts'
import type { EmbedderPool } from './embedder-pool.ts'
import { enqueueJobs } from './job-store.ts'
import { PASSAGE_SIZES } from './passages.ts'
import { encodeHashes, textHash } from './text-hashes.ts'
import type { EmbeddedTexts } from './targets.ts'
import { targetModel, type TenantModels } from './target-model.ts'
import { deleteVectors, readVectors, saveVectors } from './vector-store.ts'
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

/**
 * Milliseconds by which documents without stand-ins come before what was written with them: the queue stores these in no
 * time, while reading takes minutes.
 */
const AHEAD_MS = 10 * 60_000

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

/** The texts of a document with the vectors that a write stores at once. */
interface Prepared<Vectors> {
  readonly texts: EmbeddedTexts<Vectors>
  readonly vectors: readonly Float32Array[]
}

/**
 * Decides how documents get their vectors. Of short documents, the built-in static model embeds all texts at once, and
 * a model that takes long to read gets stand-ins for them, besides a job. All other vectors are left to jobs. Between
 * two documents, other work gets its turn.
 * @param rows documents of one tenant, at least one
 * @param tenantModels the models of the tenant, as the write has read them
 * @param isPaused whether nothing may be embedded for the tenant now. Then all vectors are left to jobs, which wait
 */
export async function planVectors<Row extends { readonly id: string }, Vectors extends VectorColumns>(
  kind: EmbeddedKind<Row, Vectors>,
  embedders: EmbedderPool,
  rows: readonly (Row & { readonly tenant_id: string })[],
  tenantModels: TenantModels,
  isPaused = false,
): Promise<PlannedVectors> {
  const tenantId = rows[0].tenant_id
  const active = tenantModels.model
  const target = targetModel(tenantModels, embedders.installed)
  const models = modelsOfWrite(target, active)
  const searched = active ?? target
  const short = isPaused ? [] : rows.filter((row) => kind.isShort(row))
  const embedded = models.has(BUILTIN_ID) ? short : []
  const { standIn, passageSizes = PASSAGE_SIZES } = embedders.of(searched) ?? {}
  const finished = new Map<string, Prepared<Vectors>>()
  const standing = new Map<string, Prepared<Vectors>>()
  for (const row of embedded) {
    const texts = kind.textsOf(row, PASSAGE_SIZES)
    await threadSlices.pauseHolding()
    finished.set(row.id, { texts, vectors: await embedders.embed(embedders.of(BUILTIN_ID)!, tenantId, texts.texts) })
  }
  for (const row of standIn === undefined ? [] : short) {
    const texts = kind.textsOf(row, passageSizes)
    await threadSlices.pauseHolding()
    standing.set(row.id, { texts, vectors: texts.texts.map((text) => standIn!(text, 'passage')) })
  }
  return {
    modelOf: (id) => ((searched === BUILTIN_ID ? finished : standing).has(id) ? searched : null),
    async store(tx) {
      await adoptModel(tx, embedders, tenantId, active, target)
      const replaced = rows.filter((row) => Number(row[kind.versionColumn]) > 1).map((row) => row.id)
      const read = await storeStanding(tx, kind, tenantId, searched, standing, replaced)
      const columns = Array.from(finished, ([id, { texts, vectors }]) => ({ id, columns: texts.encode(vectors) }))
      await saveVectors(tx, kind.tables, tenantId, BUILTIN_ID, columns)
      for (const model of models) {
        if (embedders.of(model) === null) continue
        const done = model === BUILTIN_ID ? finished : model === searched ? read : NONE
        const waiting = rows.filter((row) => !done.has(row.id)).map((row) => row.id)
        if (waiting.length === 0) continue
        const isWithout = (id: string): boolean => model === searched && standIn !== undefined && !standing.has(id)
        const [without, others] = [waiting.filter(isWithout), waiting.filter((id) => !isWithout(id))]
        await enqueueJobs(tx, tenantId, kind.name, model, without, Date.now() - AHEAD_MS)
        await enqueueJobs(tx, tenantId, kind.name, model, others)
        queueing.add(tx)
      }
    },
  }
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Replaces the vectors of changed documents, for all models, by what stands in for their texts. A text that the
 * document had before, and that the model has read, keeps its vector.
 * @returns ids of the documents of which no text waits
 */
async function storeStanding<Row extends { readonly id: string }, Vectors extends VectorColumns>(
  tx: Tx,
  kind: EmbeddedKind<Row, Vectors>,
  tenantId: string,
  model: string,
  standing: ReadonlyMap<string, Prepared<Vectors>>,
  replaced: readonly string[],
): Promise<ReadonlySet<string>> {
  const before = standing.size === 0 ? new Map<string, never>() : await readVectors(tx, kind, tenantId, model, replaced)
  await deleteVectors(tx, kind.tables, tenantId, replaced)
  const read = new Set<string>()
  const stored = Array.from(standing, ([id, { texts, vectors }]) => {
    const known = before.get(id)?.byHash
    const hashes = known === undefined ? [] : texts.texts.map(textHash)
    const kept = texts.texts.map((_text, i) => known?.get(hashes[i]) ?? null)
    if (kept.every((vector) => vector !== null)) read.add(id)
    const own = vectors.map((vector, i) => kept[i] ?? vector)
    const text_hashes = encodeHashes(kept.map((vector, i) => (vector === null ? null : hashes[i])))
    return { id, columns: { ...texts.encode(own), text_hashes } }
  })
  await saveVectors(tx, kind.tables, tenantId, model, stored)
  return read
}
