import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../src/platform/database/database.ts'

const LOOK_AGAIN_MS = 10
/** The queue takes work up within milliseconds. */
const LOOKS_MAX = 500

/** Databases of stages that run no embedding queue: what waits there waits for ever. */
const WITHOUT_QUEUE = new WeakSet<Database>()

/**
 * Waits until the embedding queue has done its work, also that of giving new tenants their model: it changes rows and
 * watermarks that tests compare. Where no queue runs, it finds out once.
 */
export async function atRest(database: Database): Promise<void> {
  const { queries } = database
  const waiting = async (): Promise<string> => {
    const jobs = await queries.selectFrom('embedding_jobs').select('item_id').execute()
    const tenants = queries.selectFrom('tenants').select('tenant_id').where('embedding_model', 'is', null)
    return JSON.stringify([jobs, await tenants.execute()])
  }
  let before = ''
  for (let looks = 0; looks < LOOKS_MAX && !WITHOUT_QUEUE.has(database); looks++) {
    const now = await waiting()
    if (now === '[[],[]]') return
    if (now !== before) looks = 0
    before = now
    await sleep(LOOK_AGAIN_MS)
  }
  WITHOUT_QUEUE.add(database)
}
