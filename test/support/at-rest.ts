import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/platform/database/database.ts'

const LOOK_AGAIN_MS = 10

/**
 * Waits until the embedding queue has done its work, also that of giving new tenants their model: it changes rows and
 * watermarks that tests compare.
 */
export async function atRest({ queries }: Database): Promise<void> {
  const waits = async (): Promise<boolean> => {
    const job = queries.selectFrom('embedding_jobs').select('item_id').limit(1)
    const tenant = queries.selectFrom('tenants').select('tenant_id').where('embedding_model', 'is', null).limit(1)
    return [await job.execute(), await tenant.execute()].some((rows) => rows.length > 0)
  }
  while (await waits()) await sleep(LOOK_AGAIN_MS)
}
