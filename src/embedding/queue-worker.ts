import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseOptions, openDatabase } from '../database/database.ts'
import { EmbedderPool } from './embedder-pool.ts'
import { activateModel, enqueueMissing, tenantsBehind } from './model-change.ts'
import type { EmbeddingSettings } from './providers.ts'
import { EmbeddingQueue } from './queue.ts'
import type { TargetsOf } from './targets.ts'

/** What the thread is started with; the module exports `targetsOf`. */
export interface QueueWorkerData {
  readonly database: DatabaseOptions
  readonly embedding: EmbeddingSettings
  readonly targetsModule: string
}

export type FromQueueWorker =
  | { readonly type: 'warning'; readonly message: string; readonly error: string }
  | { readonly type: 'embedded'; readonly items: number }

const port = parentPort!
const options = workerData as QueueWorkerData
const stopping = new AbortController()
let wake: () => void = () => undefined

port.on('message', (message: 'wake' | 'stop') => {
  if (message === 'stop') stopping.abort()
  wake()
})

const { targetsOf } = (await import(options.targetsModule)) as { targetsOf: TargetsOf }
const database = openDatabase({ ...options.database, poolMax: 2 })
const embedders = new EmbedderPool(options.embedding)
const targets = targetsOf()
const log = { warn: (details: object, message: string) => report(message, (details as { err?: Error }).err) }
const queue = new EmbeddingQueue({ database, embedders, targets, log })

await run()
await embedders.close()
await database.close()
port.close()

/** One life: bring tenants to the configured model, then serve jobs of that and of the models still in use. */
async function run(): Promise<void> {
  const model = embedders.current.id
  const moving = new Set<string>()
  // Tenants this process has seen on its model. When another process moves one on, with newer settings
  // than ours in a rolling deployment, this one must not move it back.
  const arrived = new Set<string>()
  while (!stopping.signal.aborted) {
    try {
      for (const tenantId of await tenantsBehind(database, model)) {
        if (moving.has(tenantId) || arrived.has(tenantId)) continue
        await enqueueMissing(database, targets, tenantId, model)
        moving.add(tenantId)
      }
      for (const id of new Set([model, ...(await activeModels())])) {
        const items = await queue.drain(id, stopping.signal)
        if (items > 0) port.postMessage({ type: 'embedded', items } satisfies FromQueueWorker)
      }
      for (const tenantId of moving) {
        if (!(await activateModel(database, targets, tenantId, model))) continue
        moving.delete(tenantId)
        arrived.add(tenantId)
      }
      await sleep(await queue.idleMs(model))
    } catch (error) {
      report('the embedding queue was interrupted, it goes on', error as Error)
      await sleep(1_000)
    }
  }
}

async function activeModels(): Promise<string[]> {
  const rows = await database.queries.selectFrom('embedding_jobs').select('model').distinct().execute()
  return rows.map((row) => row.model)
}

async function sleep(ms: number): Promise<void> {
  if (stopping.signal.aborted) return
  const { promise, resolve } = Promise.withResolvers<void>()
  wake = resolve
  const timer = setTimeout(resolve, ms)
  await promise
  clearTimeout(timer)
}

function report(message: string, error?: Error): void {
  port.postMessage({ type: 'warning', message, error: error?.message ?? '' } satisfies FromQueueWorker)
}
