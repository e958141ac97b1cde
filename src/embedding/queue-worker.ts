import { type DatabaseOptions, openDatabase } from '../platform/database/database.ts'
import { UsageTally } from '../platform/usage/usage-tally.ts'
import { HeapRelease } from '../platform/threads/heap-release.ts'
import { giveWay } from '../platform/threads/thread-priority.ts'
import { ThreadPort } from '../platform/threads/thread-port.ts'
import { RelayedReader, type RelayOrder, type RelayReport } from './contextual/relayed-reader.ts'
import { EmbedderPool } from './embedder-pool.ts'
import { activateModel, enqueueMissing, forgetOtherModels, moveEmptyTenants } from './model-change.ts'
import { type Backlog, readBacklog } from './job-store.ts'
import { modelsInUse, tenantsBehind, tenantsWithModel } from './model-store.ts'
import type { EmbeddingSettings } from './provider.ts'
import { ScaleKeeper } from './scale/scale-keeper.ts'
import { EmbeddingQueue } from './queue.ts'
import { startTelemetry } from '../platform/telemetry/opentelemetry/start.ts'
import type { TargetsOf } from './targets.ts'
import type { EmbeddingCall } from './telemetry/observed-embedder.ts'
import { WakeUp } from './wake-up.ts'
import { sleepWatchfully } from './watchful-sleep.ts'

/** Start data of the thread. */
export interface QueueWorkerData {
  readonly database: DatabaseOptions
  readonly embedding: EmbeddingSettings
  /** `TextReader.absence` of the reader of the process. */
  readonly readerAbsence: string | null
  /** URL of the module that exports `targetsOf`. */
  readonly targetsModule: string
  /**
   * `EmbedderPool.startedAt` of the process. A thread that starts again must not count as a process that started later.
   */
  readonly startedAt: number
  /** Most milliseconds of a sleep without work; by default a second. */
  readonly idleMaxMs?: number
  /** Settings of OpenTelemetry, as in `Config`; null or absent without it. */
  readonly openTelemetry?: Readonly<Record<string, string>> | null
}

/** A report for metrics, of a tenant for which vectors were stored, or of texts that the reader of the process reads. */
export type QueueReport =
  | RelayReport
  | { readonly kind: 'call'; readonly call: EmbeddingCall }
  | { readonly kind: 'backlog'; readonly backlog: Backlog }
  | { readonly kind: 'written'; readonly tenantId: string }

export interface QueueThreadProtocol {
  readonly data: QueueWorkerData
  /** Says that there may be new jobs, or answers a call of the reader. */
  readonly order: 'wake' | RelayOrder
  readonly report: QueueReport
}

/** Milliseconds that the queue works before it looks for new tenants and for tenants to move. */
const DRAIN_MS = 1_000
/** Milliseconds after its last job for which a queue counts as busy. */
const BUSY_MS = 10_000
/**
 * Milliseconds between two reports of the backlog. A count reads every job, so it is not made for each reader of
 * metrics.
 */
const BACKLOG_INTERVAL_MS = 5_000
/**
 * Milliseconds after a move until the old vectors are deleted. No search takes this long, so none reads them any more.
 */
const FORGET_AFTER_MS = 60_000

const port = new ThreadPort<QueueThreadProtocol>()
const options = port.data
const stopping = new AbortController()
const wakeUp = new WakeUp()
const ended = Promise.withResolvers<void>()

const reader = new RelayedReader(options.readerAbsence, (report) => port.tell(report))

port.listen(
  (order) => {
    if (order === 'wake') wakeUp.call()
    else reader.receive(order)
  },
  () => {
    stopping.abort()
    wakeUp.call()
    return ended.promise
  },
)

const { targetsOf } = (await import(options.targetsModule)) as { targetsOf: TargetsOf }
const database = openDatabase({ ...options.database, poolMax: 2, onDamage: (error) => port.noteDamage(error) })
const usage = new UsageTally(database, (error) => port.warn('the tokens embedded could not be stored', error as Error))
const embedders = new EmbedderPool(
  options.embedding,
  (tenantId, tokens) => usage.embedded(tenantId, tokens),
  (call) => port.tell({ kind: 'call', call }),
  undefined,
  reader,
)
database.onWrite((tenantId) => port.tell({ kind: 'written', tenantId }))
const targets = targetsOf()
const telemetry =
  options.openTelemetry == null
    ? null
    : startTelemetry({ registry: null, warn: (message) => port.warn(message), env: options.openTelemetry })
const log = { warn: (details: object, message: string) => port.warn(message, (details as { err?: Error }).err) }
const queue = new EmbeddingQueue({
  database,
  embedders,
  targets,
  log,
  idleMaxMs: options.idleMaxMs,
  tracing: telemetry?.tracing,
})

const scales = new ScaleKeeper({
  database,
  embedderOf: (model) => embedders.of(model),
  warn: (message, error) => port.warn(message, error),
})

HeapRelease.start(1)
giveWay()
const reporting = setInterval(() => void reportBacklog(), BACKLOG_INTERVAL_MS)
void reportBacklog()
await run()
clearInterval(reporting)
await embedders.close()
await scales.settled()
await usage.close()
await database.close()
await telemetry?.close()
ended.resolve()

/**
 * Reports the backlog. It hides an error of the database, because the queue's next step meets and logs the same error.
 */
async function reportBacklog(): Promise<void> {
  const backlog = await readBacklog(database.queries, Date.now()).catch(() => null)
  if (backlog !== null) port.tell({ kind: 'backlog', backlog })
}

/**
 * Runs until the thread stops: moves each tenant to the model that it should have, and works off the jobs of all models
 * that tenants search with or move to.
 */
async function run(): Promise<void> {
  const { startedAt } = options
  const { installed } = embedders
  /** The model that a tenant moves to, by tenant. */
  const moving = new Map<string, string>()
  /** Time at which vectors of other models may be deleted, by tenant. An earlier run may have left some. */
  const forgetAt = new Map<string, number>()
  let isFirst = true
  let workedAtMs = Number.NEGATIVE_INFINITY
  while (!stopping.signal.aborted) {
    try {
      const seen = database.changeNumber()
      if (isFirst) {
        await moveEmptyTenants(database, targets, installed, startedAt)
        for (const id of await tenantsWithModel(database)) forgetAt.set(id, startedAt + FORGET_AFTER_MS)
      }
      isFirst = false
      const behind = new Map((await tenantsBehind(database, installed, startedAt)).map((t) => [t.tenantId, t.target]))
      for (const [tenantId, model] of moving) {
        if (behind.get(tenantId) === model) continue
        // The tenant has chosen again. What it got of the model meanwhile is forgotten once a move has ended.
        moving.delete(tenantId)
        forgetAt.set(tenantId, Date.now() + FORGET_AFTER_MS)
      }
      for (const [tenantId, model] of behind) {
        if (moving.has(tenantId) || stopping.signal.aborted) continue
        await enqueueMissing(database, targets, { tenantId, model, installed })
        moving.set(tenantId, model)
      }
      const models = await modelsAtWork()
      scales.begin(models, stopping.signal, () => wakeUp.call())
      if ((await queue.drain(models, stopping.signal, DRAIN_MS)) > 0) workedAtMs = performance.now()
      for (const [tenantId, model] of moving) {
        // The searches of a tenant begin on the scale of the new model, unless it could not be measured.
        if (scales.isMeasuring(model)) continue
        if (!(await activateModel(database, targets, { tenantId, model, installed }, startedAt))) continue
        moving.delete(tenantId)
        forgetAt.set(tenantId, Date.now() + FORGET_AFTER_MS)
      }
      for (const [tenantId, at] of forgetAt) {
        if (at <= Date.now() && (await forgetOtherModels(database, targets, tenantId, installed)))
          forgetAt.delete(tenantId)
      }
      const watched = {
        wakeUp,
        changeNumber: () => database.changeNumber(),
        isDue: () => queue.isDue(models),
        isBusy: performance.now() - workedAtMs < BUSY_MS,
      }
      await sleepWatchfully(watched, await queue.idleMs(models), seen)
    } catch (error) {
      port.warn('the embedding queue was interrupted and continues', error as Error)
      await wakeUp.sleep(1_000)
    }
  }
}

/**
 * Returns the models whose jobs this process works on. Models with which tenants search come first, because users wait
 * to find their new texts; those that tenants have chosen and the configured model follow.
 */
async function modelsAtWork(): Promise<string[]> {
  const { searched, chosen } = await modelsInUse(database)
  const reachable = [...searched, ...chosen].filter((id) => embedders.of(id) !== null)
  return [...new Set([...reachable, embedders.current.id])]
}
