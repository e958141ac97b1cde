import { type DatabaseOptions, openDatabase } from '../../platform/database/database.ts'
import { faultOf } from '../../platform/storage-faults.ts'
import { SecretBox, type SecretSource } from '../../platform/secrets.ts'
import { HeapRelease } from '../../platform/threads/heap-release.ts'
import { ThreadPort } from '../../platform/threads/thread-port.ts'
import { analyse, type AnalyticsRange } from '../analytics/analytics.ts'
import { learnForAll, learnTenant } from '../learning/learn.ts'
import { type LearntAbout, learntFor, learntQueries, type LearntQueriesOf } from '../learning/learnt.ts'
import { storeBatch } from '../search-log/store-batch.ts'
import type { QueuedBatch } from '../search-log/queued.ts'
import { sweepLog } from '../search-log/sweep.ts'
import { VisitorHashes } from '../search-log/visitors.ts'

/** Database of the log, and the key that seals the salts of visitors; null for the key file in the data directory. */
export type LogPlace = DatabaseOptions & SecretSource

/** Order of the main thread. */
export type LogOrder =
  | { readonly order: 'write'; readonly batch: QueuedBatch }
  | { readonly order: 'analyse'; readonly tenantId: string; readonly range: AnalyticsRange }
  | { readonly order: 'learn'; readonly tenantId: string; readonly now: number }
  | { readonly order: 'learnt'; readonly about: LearntAbout }
  | { readonly order: 'learnt-queries'; readonly of: LearntQueriesOf }

type NumberedOrder = LogOrder & { readonly id: number }

/** Outcome of an order. */
export type LogReport =
  | { readonly type: 'done'; readonly id: number; readonly result: unknown }
  | { readonly type: 'failed'; readonly id: number; readonly message: string; readonly isUnavailable: boolean }

export interface LogThreadProtocol {
  readonly data: LogPlace
  readonly order: NumberedOrder
  readonly report: LogReport
}

const UPKEEP_FIRST_MS = 60_000
const UPKEEP_INTERVAL_MS = 60 * 60_000

const port = new ThreadPort<LogThreadProtocol>()
const { dataDir, databaseUrl } = port.data
const database = openDatabase({ dataDir, databaseUrl, poolMax: 3, onDamage: (error) => port.noteDamage(error) })
const visitors = new VisitorHashes(database, SecretBox.of(port.data), (error) =>
  port.warn('cannot read a visitor salt, so searches and clicks are logged without their visitor', error),
)
const stopping = new AbortController()
const running = new Set<Promise<void>>()
let upkeep = Promise.resolve()

port.listen((order) => {
  const task = answer(order).finally(() => running.delete(task))
  running.add(task)
}, close)
HeapRelease.start()
// A random delay, so that processes that start together do not sweep and learn together.
let timer = setTimeout(startUpkeep, UPKEEP_FIRST_MS * (1 + Math.random()))

async function answer(order: NumberedOrder): Promise<void> {
  try {
    const result = await carryOut(order)
    port.tell({ type: 'done', id: order.id, result })
  } catch (error) {
    port.tell({
      type: 'failed',
      id: order.id,
      message: (error as Error).message,
      isUnavailable: faultOf(error) !== null,
    })
  }
}

async function carryOut(order: LogOrder): Promise<unknown> {
  switch (order.order) {
    case 'write':
      return storeBatch(database, await visitors.rowsOf(order.batch))
    case 'analyse':
      return analyse(database.queries, order.tenantId, order.range)
    case 'learn':
      return learnTenant(database, order.tenantId, { now: order.now, signal: stopping.signal })
    case 'learnt-queries':
      return learntQueries(database.queries, order.of)
    default:
      return learntFor(database, order.about)
  }
}

function startUpkeep(): void {
  upkeep = keepUp()
    .catch((error: unknown) => {
      port.warn('sweeping the search log or learning from it failed', error as Error)
    })
    .finally(() => {
      if (!stopping.signal.aborted) timer = setTimeout(startUpkeep, UPKEEP_INTERVAL_MS)
    })
}

/** Deletes old rows, then learns for each tenant, unless another process has just done so. */
async function keepUp(): Promise<void> {
  const { signal } = stopping
  await sweepLog(database, { now: Date.now(), signal })
  await learnForAll(database, { freshMs: UPKEEP_INTERVAL_MS / 2, signal })
}

/** Lets running work finish. */
async function close(): Promise<void> {
  stopping.abort()
  clearTimeout(timer)
  await Promise.all([upkeep, ...running])
  await database.close()
}
