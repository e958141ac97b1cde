import { parentPort, workerData } from 'node:worker_threads'
import { type DatabaseOptions, openDatabase } from '../../platform/database/database.ts'
import { faultOf } from '../../platform/storage-faults.ts'
import { SecretBox } from '../../platform/secrets.ts'
import { analyse, type AnalyticsRange } from '../analytics/analytics.ts'
import { lastLearntAt, learnTenant, tenantsThatLearn } from '../learning/learn.ts'
import { storeBatch } from '../search-log/store-batch.ts'
import type { QueuedBatch } from '../search-log/queued.ts'
import { sweepLog } from '../search-log/sweep.ts'
import { VisitorHashes } from '../search-log/visitors.ts'

/**
 * Where the log is kept, and what the salts of its visitors are sealed with: null is the file in the data directory.
 */
export type LogPlace = DatabaseOptions & { readonly secretKey: string | null }

export type LogOrder =
  | { readonly order: 'write'; readonly batch: QueuedBatch }
  | { readonly order: 'analyse'; readonly tenantId: string; readonly range: AnalyticsRange }

export type ToLogWorker = 'stop' | (LogOrder & { readonly id: number })

export type FromLogWorker =
  | { readonly type: 'done'; readonly id: number; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly isUnavailable: boolean }
  | { readonly type: 'warning'; readonly message: string; readonly error: string }

const UPKEEP_FIRST_MS = 60_000
const UPKEEP_INTERVAL_MS = 60 * 60_000

const port = parentPort!
const { secretKey, ...place } = workerData as LogPlace
const database = openDatabase({ ...place, poolMax: 3 })
const visitors = new VisitorHashes(database, SecretBox.of({ secretKey, dataDir: place.dataDir }), (error) =>
  tell({ type: 'warning', message: 'a visitor salt cannot be read, so visitors are forgotten', error: error.message }),
)
const stopping = new AbortController()
let running = 0
let upkeep = Promise.resolve()

port.on('message', (message: ToLogWorker) => {
  if (message === 'stop') void stop()
  else void answer(message)
})
// Processes that start together do not tidy up together.
let timer = setTimeout(startUpkeep, UPKEEP_FIRST_MS * (1 + Math.random()))

async function answer(order: LogOrder & { readonly id: number }): Promise<void> {
  running++
  try {
    const result = await carryOut(order)
    tell({ type: 'done', id: order.id, result })
  } catch (error) {
    tell({ type: 'failed', id: order.id, message: (error as Error).message, isUnavailable: faultOf(error) !== null })
  }
  running--
  if (stopping.signal.aborted && running === 0) await close()
}

async function carryOut(order: LogOrder): Promise<unknown> {
  return order.order === 'write'
    ? storeBatch(database, await visitors.rowsOf(order.batch))
    : analyse(database.queries, order.tenantId, order.range)
}

function startUpkeep(): void {
  upkeep = keepUp()
    .catch((error: unknown) => {
      tell({ type: 'warning', message: 'the upkeep of the search log failed', error: (error as Error).message })
    })
    .finally(() => {
      if (!stopping.signal.aborted) timer = setTimeout(startUpkeep, UPKEEP_INTERVAL_MS)
    })
}

/** Deletes what is too old and learns from what is left, unless another process has just done so. */
async function keepUp(): Promise<void> {
  const { signal } = stopping
  await sweepLog(database, { now: Date.now(), signal })
  for (const tenantId of await tenantsThatLearn(database)) {
    if (signal.aborted) return
    const last = await lastLearntAt(database, tenantId)
    const now = Date.now()
    if (last === null || now - last >= UPKEEP_INTERVAL_MS / 2) await learnTenant(database, tenantId, { now, signal })
  }
}

async function stop(): Promise<void> {
  stopping.abort()
  clearTimeout(timer)
  await upkeep
  if (running === 0) await close()
}

async function close(): Promise<void> {
  await database.close()
  port.close()
}

function tell(message: FromLogWorker): void {
  port.postMessage(message)
}
