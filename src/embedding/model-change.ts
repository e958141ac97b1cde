import type { Database, Tx } from '../platform/database/database.ts'
import { advanceWatermark } from '../platform/database/watermark.ts'
import { countJobs, deleteOtherJobs, enqueueJobs, hasOtherJobs, refusedItems } from './job-store.ts'
import { chooseModel, emptyTenants, lockModels, modelChosenAt, modelsOf } from './model-store.ts'
import { type InstalledModels, targetModel } from './target-model.ts'
import type { EmbeddingTarget, EmbeddingTargets } from './targets.ts'

const PAGE = 1_000

/** Most items whose vectors one transaction deletes. Between two transactions, other writers get their turn. */
const FORGET_PAGE = 500

/** A model that a tenant should search with by the settings of a process. */
export interface WantedModel {
  readonly tenantId: string
  readonly model: string
  readonly installed: InstalledModels
}

/**
 * Adds a job for each of the tenant's items without vectors of the model. It stops where the tenant should have another
 * model by now, so that a choice that was taken back leaves no jobs.
 * @returns how many jobs were added
 */
export function enqueueMissing(database: Database, targets: EmbeddingTargets, wanted: WantedModel): Promise<number> {
  return enqueueLacking(database, targets, wanted, wanted.model)
}

/** Adds a job for each item without vectors of the model `lacking`. */
async function enqueueLacking(
  database: Database,
  targets: EmbeddingTargets,
  { tenantId, model, installed }: WantedModel,
  lacking: string,
): Promise<number> {
  let added = 0
  for (const target of targets) {
    let after = ''
    for (;;) {
      const ids = await target.missing(database.queries, tenantId, lacking, after, PAGE)
      if (ids.length === 0) break
      after = ids.at(-1)!
      const isWanted = await database.write(async (tx) => {
        if (targetModel(await lockModels(tx, tenantId), installed) !== model) return false
        await enqueueJobs(tx, tenantId, target.kind, model, ids)
        return true
      })
      if (!isWanted) return added
      added += ids.length
    }
  }
  return added
}

/**
 * Switches the tenant's search to `model` once all items have vectors of it; until then search uses the old vectors.
 * The switch does not wait for items whose text the provider refused; only keyword search finds these. It is safe to
 * call this at any time and from several processes.
 * @param startedAt start of the process that wants the model, in milliseconds since 1970. Unless the tenant has chosen,
 *   the choice of a process that started later takes precedence
 * @returns whether the move has ended: the tenant now searches with `model`, or it should have another one by now
 */
export async function activateModel(
  database: Database,
  targets: EmbeddingTargets,
  { tenantId, model, installed }: WantedModel,
  startedAt = Date.now(),
): Promise<boolean> {
  // A write may have chosen the model meanwhile. Then nothing changes, and no search has to catch up.
  if ((await modelsOf(database.queries, tenantId)).model === model) return true
  const { pending, refused } = await countJobs(database.queries, tenantId, model)
  if (pending > refused) return false
  return database.write(async (tx) => {
    const { model: active, choice } = await advanceWatermark(tx, tenantId)
    if (active === model || targetModel({ model: active, choice }, installed) !== model) return true
    if (choice === null && active !== null && (await modelChosenAt(tx, tenantId)) > startedAt) return true
    for (const target of targets) {
      const missing = await missingUnrefused(tx, target, tenantId, model)
      if (missing.length === 0) continue
      await enqueueJobs(tx, tenantId, target.kind, model, missing)
      return false
    }
    for (const target of targets) await target.activate(tx, tenantId, model)
    await chooseModel(tx, tenantId, model, startedAt)
    // No search uses the other models now. A process that started later adds its own jobs again.
    await deleteOtherJobs(tx, tenantId, [model])
    return true
  })
}

/**
 * Gives the configured model to tenants that have no items, have chosen none, and kept another built-in model from their
 * first start: for them there is nothing to read and no search that would change.
 * @param startedAt start of the process, in milliseconds since 1970. The choice of a process that started later stays
 */
export async function moveEmptyTenants(
  database: Database,
  targets: EmbeddingTargets,
  installed: InstalledModels,
  startedAt: number,
): Promise<void> {
  const tables = targets.map(({ documents }) => documents)
  for (const tenantId of await emptyTenants(database, tables, installed, startedAt)) {
    await database.write(async (tx) => {
      await advanceWatermark(tx, tenantId)
      // A write may have come first. No item has vectors of a model with an empty name, so this finds any item.
      for (const target of targets) if ((await target.missing(tx, tenantId, '', '', 1)).length > 0) return
      if ((await modelsOf(tx, tenantId)).choice === null)
        await chooseModel(tx, tenantId, installed.configured, startedAt)
    })
  }
}

/**
 * Deletes the vectors of models that a tenant does not search with, after a move or one that was given up. Call it some
 * time after the move, because searches that started before the move still read the old vectors. While a move runs, it
 * deletes nothing.
 * @returns whether nothing is left to delete
 */
export async function forgetOtherModels(
  database: Database,
  targets: EmbeddingTargets,
  tenantId: string,
  installed: InstalledModels,
): Promise<boolean> {
  const { model } = await modelsOf(database.queries, tenantId)
  if (model === null) return true
  for (const target of targets) {
    if (!(await target.hasOthers(database.queries, tenantId, model))) continue
    const count = await database.write(async (tx) => {
      const models = await lockModels(tx, tenantId)
      if (models.model !== model || targetModel(models, installed) !== model) return 0
      if (await hasOtherJobs(tx, tenantId, model)) return 0
      return target.forgetOthers(tx, tenantId, model, FORGET_PAGE)
    })
    if (count > 0) return false
  }
  return true
}

/**
 * Deletes all of a tenant's vectors of a model, so that new vectors may have another length. Until an item has new
 * vectors, search finds it by words alone.
 */
export async function forgetModel(
  database: Database,
  targets: EmbeddingTargets,
  tenantId: string,
  model: string,
): Promise<void> {
  for (const target of targets) {
    const forgetPage = (): Promise<number> =>
      database.write(async (tx) => {
        const { seq } = await advanceWatermark(tx, tenantId)
        return target.forget(tx, tenantId, model, seq, FORGET_PAGE)
      })
    while ((await forgetPage()) > 0);
  }
}

/** Returns ids of items without vectors of the model whose text was not refused; at most one page. */
async function missingUnrefused(tx: Tx, target: EmbeddingTarget, tenantId: string, model: string): Promise<string[]> {
  const refused = await refusedItems(tx, tenantId, target.kind, model)
  for (let after = ''; ;) {
    const page = await target.missing(tx, tenantId, model, after, PAGE)
    const unrefused = page.filter((id) => !refused.has(id))
    if (unrefused.length > 0 || page.length < PAGE) return unrefused
    after = page[page.length - 1]
  }
}

/**
 * Adds a job for every item of the tenant, with or without vectors. Search uses the existing vectors until new ones
 * replace them.
 * @returns how many jobs were added
 */
export function enqueueAll(database: Database, targets: EmbeddingTargets, wanted: WantedModel): Promise<number> {
  // No item has vectors of a model with an empty name, so this selects all items.
  return enqueueLacking(database, targets, wanted, '')
}
