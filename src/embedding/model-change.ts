import type { Database } from '../database/database.ts'
import { advanceWatermark } from '../search/watermark.ts'
import { countJobs, enqueueJobs } from './jobs.ts'
import type { EmbeddingTargets } from './targets.ts'

const PAGE = 1_000

/** Tenants whose search compares with vectors of another model than `model`, or of none yet. */
export async function tenantsBehind(database: Database, model: string): Promise<string[]> {
  const rows = await database.queries
    .selectFrom('tenants')
    .select('tenant_id')
    .where((eb) => eb.or([eb('embedding_model', 'is', null), eb('embedding_model', '!=', model)]))
    .orderBy('tenant_id')
    .execute()
  return rows.map((row) => row.tenant_id)
}

/**
 * Adds a job for each item of the tenant that has no vectors of the model.
 * @returns how many jobs were added
 */
export async function enqueueMissing(
  database: Database,
  targets: EmbeddingTargets,
  tenantId: string,
  model: string,
): Promise<number> {
  let added = 0
  for (const target of targets) {
    let after = ''
    for (;;) {
      const ids = await target.missing(database.queries, tenantId, model, after, PAGE)
      if (ids.length === 0) break
      after = ids.at(-1)!
      await database.write((tx) => enqueueJobs(tx, tenantId, target.kind, model, ids))
      added += ids.length
    }
  }
  return added
}

/**
 * Lets the tenant's search compare with `model`, once everything has vectors of it; until then search
 * goes on under the old ones. Safe to call at any time and from several processes.
 * @returns whether the tenant searches with `model` now
 */
export async function activateModel(
  database: Database,
  targets: EmbeddingTargets,
  tenantId: string,
  model: string,
): Promise<boolean> {
  if ((await countJobs(database.queries, tenantId, model)).pending > 0) return false
  return database.write(async (tx) => {
    const { model: active } = await advanceWatermark(tx, tenantId)
    if (active === model) return true
    for (const target of targets) {
      const missing = await target.missing(tx, tenantId, model, '', PAGE)
      if (missing.length === 0) continue
      await enqueueJobs(tx, tenantId, target.kind, model, missing)
      return false
    }
    for (const target of targets) await target.activate(tx, tenantId, model)
    await tx.updateTable('tenants').set({ embedding_model: model }).where('tenant_id', '=', tenantId).execute()
    return true
  })
}

/**
 * Adds a job for every item of the tenant, whether it has vectors or not; those it has serve until the new
 * ones replace them.
 * @returns how many jobs were added
 */
export async function enqueueAll(
  database: Database,
  targets: EmbeddingTargets,
  tenantId: string,
  model: string,
): Promise<number> {
  let added = 0
  for (const target of targets) {
    let after = ''
    for (;;) {
      // Vectors of no model are missing everywhere.
      const ids = await target.missing(database.queries, tenantId, '', after, PAGE)
      if (ids.length === 0) break
      after = ids[ids.length - 1]
      await database.write((tx) => enqueueJobs(tx, tenantId, target.kind, model, ids))
      added += ids.length
    }
  }
  return added
}
