import { inChunks } from '../platform/database/chunks.ts'
import type { Database, Queries } from '../platform/database/database.ts'
import { findsAny } from '../platform/database/rows.ts'
import { ofEmbeddedTenant } from '../platform/database/working-tenants.ts'
import type { EmbeddingJobRow } from '../platform/database/tables.ts'

/** A job to embed an item. It waits in the database, so that a crash or restart loses nothing. */
export type EmbeddingJob = Pick<EmbeddingJobRow, 'tenant_id' | 'kind' | 'item_id' | 'model' | 'attempts'>

/** Milliseconds for which a claim lasts unless it is renewed. Then another queue may claim the job. */
export const LEASE_MS = 20_000

/**
 * Adds jobs. A job that already waits starts afresh, because its text or the provider has changed. A job that a queue
 * works on stays with that queue, which notices if the text has changed meanwhile.
 * @param dueSince milliseconds since 1970, by which the tenant's jobs are ordered
 */
export async function enqueueJobs(
  tx: Queries,
  tenantId: string,
  kind: string,
  model: string,
  itemIds: readonly string[],
  dueSince = Date.now(),
): Promise<void> {
  await inChunks(itemIds, (some) => {
    const rows = some.map((itemId) => ({
      tenant_id: tenantId,
      kind,
      item_id: itemId,
      model,
      attempts: 0,
      run_after: dueSince,
      claimed_until: 0,
      refused: 0,
      last_error: null,
    }))
    return tx
      .insertInto('embedding_jobs')
      .values(rows)
      .onConflict((c) =>
        c
          .columns(['tenant_id', 'kind', 'item_id', 'model'])
          .doUpdateSet({ attempts: 0, run_after: dueSince, refused: 0, last_error: null }),
      )
      .execute()
  })
}

/** Deletes the jobs of deleted items, for all models. */
export async function deleteJobsOf(
  tx: Queries,
  tenantId: string,
  kind: string,
  itemIds: readonly string[],
): Promise<void> {
  await inChunks(itemIds, (some) =>
    tx
      .deleteFrom('embedding_jobs')
      .where('tenant_id', '=', tenantId)
      .where('kind', '=', kind)
      .where('item_id', 'in', some)
      .execute(),
  )
}

/**
 * Claims due jobs of one tenant: of the next tenant behind `afterTenant` that has any, so that a large tenant's backlog
 * does not delay other tenants. A job never has two claims at the same time.
 * @returns at most `limit` jobs; none if nothing is due
 */
export async function claimJobs(
  database: Database,
  model: string,
  afterTenant: string,
  limit: number,
): Promise<EmbeddingJob[]> {
  const now = Date.now()
  const tenantId =
    (await nextDueTenant(database.queries, model, afterTenant, now)) ??
    (await nextDueTenant(database.queries, model, '', now))
  if (tenantId === null) return []
  // The rows are selected in a common table expression, because PostgreSQL might run a subquery more than once.
  return database.write((tx) =>
    tx
      .with('due', (db) =>
        db
          .selectFrom('embedding_jobs')
          .select(['kind as due_kind', 'item_id as due_item'])
          .where('tenant_id', '=', tenantId)
          .where('model', '=', model)
          .where('run_after', '<=', now)
          .where('claimed_until', '<=', now)
          .orderBy('run_after')
          .limit(limit)
          .modifyEnd(database.portable.skipLocked),
      )
      .updateTable('embedding_jobs')
      .from('due')
      .set({ claimed_until: now + LEASE_MS })
      .where('tenant_id', '=', tenantId)
      .where('model', '=', model)
      .whereRef('kind', '=', 'due_kind')
      .whereRef('item_id', '=', 'due_item')
      .returning(['tenant_id', 'kind', 'item_id', 'model', 'attempts'])
      .execute(),
  )
}

/** Renews the claim of jobs that are still being worked on. */
export async function renewJobs(database: Database, jobs: readonly EmbeddingJob[]): Promise<void> {
  const { tenant_id: tenantId, model } = jobs[0]
  await database.queries
    .updateTable('embedding_jobs')
    .set({ claimed_until: Date.now() + LEASE_MS })
    .where('tenant_id', '=', tenantId)
    .where('model', '=', model)
    .where(
      'item_id',
      'in',
      jobs.map((job) => job.item_id),
    )
    .execute()
}

async function nextDueTenant(db: Queries, model: string, after: string, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('embedding_jobs')
    .select('tenant_id')
    .where('model', '=', model)
    .where('tenant_id', '>', after)
    .where('run_after', '<=', now)
    .where('claimed_until', '<=', now)
    .where(ofEmbeddedTenant(now))
    .orderBy('tenant_id')
    .limit(1)
    .executeTakeFirst()
  return row?.tenant_id ?? null
}

/** Tells whether any job of the models can be claimed now. */
export async function hasDueJobs(db: Queries, models: readonly string[], now: number): Promise<boolean> {
  return findsAny(
    db
      .selectFrom('embedding_jobs')
      .where('model', 'in', [...models])
      .where('run_after', '<=', now)
      .where('claimed_until', '<=', now)
      .where(ofEmbeddedTenant(now)),
  )
}

export async function deleteJob(tx: Queries, job: EmbeddingJob): Promise<void> {
  await tx
    .deleteFrom('embedding_jobs')
    .where('tenant_id', '=', job.tenant_id)
    .where('kind', '=', job.kind)
    .where('item_id', '=', job.item_id)
    .where('model', '=', job.model)
    .execute()
}

/** Deletes a tenant's jobs for all models but these. */
export async function deleteOtherJobs(tx: Queries, tenantId: string, models: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('embedding_jobs')
    .where('tenant_id', '=', tenantId)
    .where('model', 'not in', [...models])
    .execute()
}

/** Tells whether a tenant has jobs for another model. */
export async function hasOtherJobs(tx: Queries, tenantId: string, model: string): Promise<boolean> {
  const query = tx.selectFrom('embedding_jobs').where('tenant_id', '=', tenantId).where('model', '!=', model)
  return findsAny(query)
}

/**
 * Returns a job to the queue, to be tried again after `delayMs`.
 * @param error message of the failure; null without one
 * @param isRefused whether the provider refused the text
 */
export async function postponeJob(
  tx: Queries,
  job: EmbeddingJob,
  delayMs: number,
  error: string | null,
  isRefused = false,
): Promise<void> {
  await tx
    .updateTable('embedding_jobs')
    .set({
      attempts: job.attempts + 1,
      run_after: Date.now() + Math.round(delayMs),
      claimed_until: 0,
      refused: isRefused ? 1 : 0,
      last_error: error,
    })
    .where('tenant_id', '=', job.tenant_id)
    .where('kind', '=', job.kind)
    .where('item_id', '=', job.item_id)
    .where('model', '=', job.model)
    .execute()
}

/** Returns when the next job of the model can be claimed, in milliseconds since 1970; null if there is none. */
export async function nextDueAt(db: Queries, model: string): Promise<number | null> {
  const row = await db
    .selectFrom('embedding_jobs')
    .select((eb) =>
      eb.fn
        .min(
          eb
            .case()
            .when('claimed_until', '>', eb.ref('run_after'))
            .then(eb.ref('claimed_until'))
            .else(eb.ref('run_after'))
            .end(),
        )
        .as('at'),
    )
    .where('model', '=', model)
    .where(ofEmbeddedTenant(Date.now()))
    .executeTakeFirst()
  return (row?.at as number | null | undefined) ?? null
}

/** Returns the ids of the tenant's items whose text the model's provider refused. */
export async function refusedItems(db: Queries, tenantId: string, kind: string, model: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('embedding_jobs')
    .select('item_id')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('model', '=', model)
    .where('refused', '=', 1)
    .execute()
  return new Set(rows.map((row) => row.item_id))
}

interface JobCounts {
  readonly pending: number
  /** How many of the pending jobs have failed at least once. */
  readonly failing: number
  /** How many of the pending jobs wait only because the provider refused their text. */
  readonly refused: number
  readonly lastError: string | null
}

/** Counts of waiting jobs, over all tenants and models. */
export interface Backlog {
  readonly pending: number
  /** How many of the pending jobs have failed at least once. */
  readonly failing: number
  /** Time at which the job that has waited longest became due, in milliseconds since 1970; null while none is due. */
  readonly dueSince: number | null
}

/** Counts the jobs of tenants whose embedding is not paused. It reads every job. */
export async function readBacklog(db: Queries, now: number): Promise<Backlog> {
  const row = await db
    .selectFrom('embedding_jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      eb.fn.count<number>('last_error').as('failing'),
      eb.fn.min<number | null>('run_after').as('since'),
    ])
    .where(ofEmbeddedTenant(now))
    .executeTakeFirstOrThrow()
  const { pending, failing, since } = row
  return { pending, failing, dueSince: since !== null && since <= now ? since : null }
}

/** Waiting jobs of all tenants and models, and how many of them have failed at least once. */
export async function countAllJobs(db: Queries): Promise<{ pending: number; failing: number }> {
  return db
    .selectFrom('embedding_jobs')
    .select((eb) => [eb.fn.countAll<number>().as('pending'), eb.fn.count<number>('last_error').as('failing')])
    .executeTakeFirstOrThrow()
}

export async function countJobs(db: Queries, tenantId: string, model: string): Promise<JobCounts> {
  const rows = await db
    .selectFrom('embedding_jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      eb.fn.count<number>('last_error').as('failing'),
      eb.fn.sum<number | null>('refused').as('refused'),
      eb.fn.max('last_error').as('error'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('model', '=', model)
    .executeTakeFirstOrThrow()
  return { pending: rows.pending, failing: rows.failing, refused: rows.refused ?? 0, lastError: rows.error }
}
