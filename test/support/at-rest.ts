import { until } from './patience.ts'
import type { Database } from '../../src/platform/database/database.ts'

/** Databases on which no embedding queue runs, so that work for it waits for ever. */
const WITHOUT_QUEUE = new WeakSet<Database>()

/** Notes that no service with an embedding queue runs on the database. */
export function noteNoQueue(database: Database): void {
  WITHOUT_QUEUE.add(database)
}

/**
 * Waits until the embedding queue has done its work. That includes giving new tenants their model, because it changes
 * rows and watermarks that tests compare. Returns at once where no queue runs.
 */
export async function atRest(database: Database): Promise<void> {
  if (WITHOUT_QUEUE.has(database)) return
  const { queries } = database
  const jobs = queries.selectFrom('embedding_jobs').select('item_id')
  const tenants = queries.selectFrom('tenants').select('tenant_id').where('embedding_model', 'is', null)
  await until(async () => {
    const waiting = [await jobs.executeTakeFirst(), await tenants.executeTakeFirst()]
    return waiting.every((row) => row === undefined)
  }, 'the embedding queue has nothing left to do')
}
