import { setTimeout as sleep } from 'node:timers/promises'
import { until } from './patience.ts'
import type { Database } from '../../src/platform/database/database.ts'

const LOOK_AGAIN_MS = 10
/** The queue takes work up within milliseconds. */
const LOOKS_MAX = 500

/** Databases of services with a queue, which gets its work done however busy the machine is. */
const WITH_QUEUE = new WeakSet<Database>()
/** Databases of stages that run no embedding queue: what waits there waits for ever. */
const WITHOUT_QUEUE = new WeakSet<Database>()

/** Notes that a service with an embedding queue runs on the database. */
export function noteQueue(database: Database): Database {
  WITH_QUEUE.add(database)
  return database
}

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
  if (WITH_QUEUE.has(database)) {
    await until(async () => (await waiting()) === '[[],[]]', 'the embedding queue has nothing left to do')
    return
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
