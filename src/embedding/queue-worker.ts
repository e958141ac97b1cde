import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { HeapRelease } from '../platform/threads/heap-release.ts'
import { giveWay } from '../platform/threads/thread-priority.ts'
import { EmbedderPool } from './embedder-pool.ts'
import { activateModel, enqueueMissing, forgetOtherModels, modelsSearched, tenantsBehind } from './model-change.ts'
import type { EmbeddingSettings } from './provider.ts'
import { EmbeddingQueue } from './queue.ts'
import type { TargetsOf } from './targets.ts'

/** What the thread is started with; the module exports `targetsOf`. */
export interface QueueWorkerData {
  readonly database: DatabaseOptions
  readonly embedding: EmbeddingSettings
  readonly targetsModule: string
  /** When the process started its queue; of processes that want different models the younger has precedence. */
  readonly startedAt: number
}

export type FromQueueWorker =
  | { readonly type: 'warning'; readonly message: string; readonly error: string }
  | { readonly type: 'embedded'; readonly items: number }

/** How long the queue works before it looks whether a tenant has arrived or another wants to move. */
const DRAIN_MS = 1_000
/** No search takes this long: afterwards nobody reads the vectors from before a move. */
const FORGET_AFTER_MS = 60_000

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

HeapRelease.start(1)
giveWay()
await run()
await embedders.close()
await database.close()
port.close()

/** One life: bring tenants to the configured model, serving jobs of that and of the models still in use. */
async function run(): Promise<void> {
  const { startedAt } = options
  const model = embedders.current.id
  const moving = new Set<string>()
  /** When the leftovers of other models may go, by tenant; an earlier life may have left some. */
  const forgetAt = new Map<string, number>()
  let isFirst = true
  while (!stopping.signal.aborted) {
    try {
      if (isFirst) for (const id of await tenantsOn(model)) forgetAt.set(id, startedAt + FORGET_AFTER_MS)
      isFirst = false
      for (const tenantId of await tenantsBehind(database, model, startedAt)) {
        if (moving.has(tenantId) || stopping.signal.aborted) continue
        await enqueueMissing(database, targets, tenantId, model)
        moving.add(tenantId)
      }
      const models = await modelsAtWork(model)
      const items = await queue.drain(models, stopping.signal, DRAIN_MS)
      if (items > 0) port.postMessage({ type: 'embedded', items } satisfies FromQueueWorker)
      for (const tenantId of moving) {
        if (!(await activateModel(database, targets, tenantId, model, startedAt))) continue
        moving.delete(tenantId)
        forgetAt.set(tenantId, Date.now() + FORGET_AFTER_MS)
      }
      for (const [tenantId, at] of forgetAt) {
        if (at <= Date.now() && (await forgetOtherModels(database, targets, tenantId, model))) forgetAt.delete(tenantId)
      }
      await sleep(await queue.idleMs(models))
    } catch (error) {
      report('the embedding queue was interrupted, it goes on', error as Error)
      await sleep(1_000)
    }
  }
}

/**
 * The models whose jobs this process can do: those that tenants search with first, for somebody waits to find
 * what they have written, then the configured one.
 */
async function modelsAtWork(model: string): Promise<string[]> {
  const searched = await modelsSearched(database)
  return [...new Set([...searched.filter((id) => embedders.of(id) !== null), model])]
}

async function tenantsOn(model: string): Promise<string[]> {
  const rows = await database.queries
    .selectFrom('tenants')
    .select('tenant_id')
    .where('embedding_model', '=', model)
    .execute()
  return rows.map((row) => row.tenant_id)
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
