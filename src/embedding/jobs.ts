import type { Database, Queries } from '../database/database.ts'
import type { EmbeddingJobRow } from '../database/tables.ts'

/** A thing to embed, waiting in the database so that a crash or restart forgets nothing. */
export type EmbeddingJob = Pick<EmbeddingJobRow, 'tenant_id' | 'kind' | 'item_id' | 'model' | 'attempts'>

/** How long a claimer has before others may take its jobs over; a batch takes seconds at most. */
const LEASE_MS = 120_000
/** Rows per statement; SQLite binds at most 32,766 values. */
const ROWS_PER_INSERT = 500

/** Adds jobs; one that waits already starts afresh, for its text is another now. */
export async function enqueueJobs(tx: Queries, tenantId: string, kind: string, model: string, itemIds: readonly string[]): Promise<void> {
  const now = Date.now()
  for (let i = 0; i < itemIds.length; i += ROWS_PER_INSERT) {
    const rows = itemIds.slice(i, i + ROWS_PER_INSERT).map((itemId) => ({
      tenant_id: tenantId,
      kind,
      item_id: itemId,
      model,
      attempts: 0,
      run_after: now,
      claimed_until: 0,
      last_error: null,
    }))
    await tx
      .insertInto('embedding_jobs')
      .values(rows)
      .onConflict((c) =>
        c.columns(['tenant_id', 'kind', 'item_id', 'model']).doUpdateSet({ attempts: 0, run_after: now, claimed_until: 0, last_error: null }),
      )
      .execute()
  }
}

/**
 * Claims due jobs of one tenant, the next one after `afterTenant` that has any, so that a large
 * tenant's backlog does not hold up the others. No two claimers get the same job.
 * @returns at most `limit` jobs; none when nothing is due
 */
export async function claimJobs(database: Database, model: string, afterTenant: string, limit: number): Promise<EmbeddingJob[]> {
  const now = Date.now()
  const tenantId = (await nextDueTenant(database.queries, model, afterTenant, now)) ?? (await nextDueTenant(database.queries, model, '', now))
  if (tenantId === null) return []
  return database.write((tx) =>
    tx
      .updateTable('embedding_jobs')
      .set({ claimed_until: now + LEASE_MS })
      .where('tenant_id', '=', tenantId)
      .where('model', '=', model)
      .where((eb) =>
        eb(
          eb.refTuple('kind', 'item_id'),
          'in',
          eb
            .selectFrom('embedding_jobs')
            .select(['kind', 'item_id'])
            .where('tenant_id', '=', tenantId)
            .where('model', '=', model)
            .where('run_after', '<=', now)
            .where('claimed_until', '<=', now)
            .orderBy('run_after')
            .limit(limit)
            .modifyEnd(database.portable.skipLocked)
            .$asTuple('kind', 'item_id'),
        ),
      )
      .returning(['tenant_id', 'kind', 'item_id', 'model', 'attempts'])
      .execute(),
  )
}

async function nextDueTenant(db: Queries, model: string, after: string, now: number): Promise<string | null> {
  const row = await db
    .selectFrom('embedding_jobs')
    .select('tenant_id')
    .where('model', '=', model)
    .where('tenant_id', '>', after)
    .where('run_after', '<=', now)
    .where('claimed_until', '<=', now)
    .orderBy('tenant_id')
    .limit(1)
    .executeTakeFirst()
  return row?.tenant_id ?? null
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

/** Gives a job back, to be tried again after `delayMs`. */
export async function postponeJob(tx: Queries, job: EmbeddingJob, delayMs: number, error: string | null): Promise<void> {
  await tx
    .updateTable('embedding_jobs')
    .set({ attempts: job.attempts + 1, run_after: Date.now() + delayMs, claimed_until: 0, last_error: error })
    .where('tenant_id', '=', job.tenant_id)
    .where('kind', '=', job.kind)
    .where('item_id', '=', job.item_id)
    .where('model', '=', job.model)
    .execute()
}

/** When the next job of the model falls due; null when there is none. */
export async function nextDueAt(db: Queries, model: string): Promise<number | null> {
  const row = await db
    .selectFrom('embedding_jobs')
    .select((eb) => eb.fn.min('run_after').as('at'))
    .where('model', '=', model)
    .executeTakeFirst()
  return row?.at ?? null
}

export interface JobCounts {
  readonly pending: number
  /** Of those, how many have failed at least once. */
  readonly failing: number
  readonly lastError: string | null
}

export async function countJobs(db: Queries, tenantId: string, model: string): Promise<JobCounts> {
  const rows = await db
    .selectFrom('embedding_jobs')
    .select((eb) => [
      eb.fn.countAll<number>().as('pending'),
      eb.fn.count<number>('last_error').as('failing'),
      eb.fn.max('last_error').as('error'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('model', '=', model)
    .executeTakeFirstOrThrow()
  return { pending: rows.pending, failing: rows.failing, lastError: rows.error }
}
