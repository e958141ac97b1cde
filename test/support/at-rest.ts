import { until } from './patience.ts'
import type { Database } from '../../src/platform/database/database.ts'

/** Databases of stages that run no embedding queue: what waits there waits for ever. */
const WITHOUT_QUEUE = new WeakSet<Database>()

/** Notes that no service with an embedding queue runs on the database. */
export function noteNoQueue(database: Database): void {
  WITHOUT_QUEUE.add(database)
}

/**
 * Waits until the embedding queue has done its work, also that of giving new tenants their model: it changes rows and
 * watermarks that tests compare. Returns at once where no queue runs.
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
