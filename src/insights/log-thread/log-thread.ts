import { Worker } from 'node:worker_threads'
import { Fault } from '../../platform/faults.ts'
import type { AnalyticsRange } from '../analytics/analytics.ts'
import type { SearchAnalytics } from '../analytics/contract.ts'
import type { FromLogWorker, LogOrder, LogPlace, ToLogWorker } from './log-worker.ts'
import type { QueuedBatch } from '../search-log/queued.ts'
import type { BatchOutcome } from '../search-log/write-behind.ts'

/** A database that hangs must not keep the service from stopping. */
const CLOSE_TIMEOUT_MS = 3_000
/** Pause before a crashed thread is started again. */
const RESTART_DELAY_MS = 1_000
/** When it starts unless something is to be done before: it also sweeps and learns where nobody searches. */
const START_DELAY_MS = 10_000

interface LogThreadLog {
  warn(details: object, message: string): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/**
 * The thread that writes the search log, counts it, sweeps it and learns from it, with a database connection of
 * its own: with the embedded database each of these would hold up the answers of this thread. It starts with the
 * first thing there is to do, so that loading it does not delay the start of the service.
 */
export class LogThread {
  readonly #place: LogPlace
  readonly #log: LogThreadLog
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | null = null
  #hasStarted = false
  /** When the thread starts by itself, the first time or again. */
  #startDue: NodeJS.Timeout | null
  #stopped = false
  #lastId = 0

  constructor(place: LogPlace, log: LogThreadLog) {
    this.#place = place
    this.#log = log
    this.#startDue = setTimeout(() => this.#start(), START_DELAY_MS)
  }

  /** @throws when storage is away; nothing of the batch was written then, or all of it will be found written */
  write(batch: QueuedBatch): Promise<BatchOutcome> {
    return this.#ask<BatchOutcome>({ order: 'write', batch })
  }

  /** @throws Fault unavailable when storage or the thread is away */
  analyse(tenantId: string, range: AnalyticsRange): Promise<SearchAnalytics> {
    return this.#ask<SearchAnalytics>({ order: 'analyse', tenantId, range })
  }

  /** Finishes what runs, then ends; after three seconds it ends in any case. */
  async close(): Promise<void> {
    this.#stopped = true
    if (this.#startDue !== null) clearTimeout(this.#startDue)
    const worker = this.#worker
    if (worker === null) return
    const ended = new Promise((resolve) => worker.once('exit', resolve))
    worker.postMessage('stop' satisfies ToLogWorker)
    const late = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS)
    await ended
    clearTimeout(late)
  }

  async #ask<T>(order: LogOrder): Promise<T> {
    if (!this.#hasStarted && !this.#stopped) this.#start()
    const worker = this.#worker
    if (worker === null) throw away('the log thread is not running')
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    worker.postMessage({ ...order, id } satisfies ToLogWorker)
    return (await promise) as T
  }

  #start(): void {
    if (this.#startDue !== null) clearTimeout(this.#startDue)
    this.#hasStarted = true
    const worker = new Worker(new URL('./log-worker.ts', import.meta.url), { workerData: this.#place })
    this.#worker = worker
    worker.on('message', (message: FromLogWorker) => this.#hear(message))
    worker.on('error', (error) => this.#log.warn({ err: error }, 'the log thread crashed and is started again'))
    worker.on('exit', () => {
      this.#worker = null
      for (const waiting of this.#waiting.values()) waiting.reject(away('the log thread ended'))
      this.#waiting.clear()
      if (!this.#stopped) this.#startDue = setTimeout(() => this.#start(), RESTART_DELAY_MS)
    })
  }

  #hear(message: FromLogWorker): void {
    if (message.type === 'warning') {
      this.#log.warn({ error: message.error }, message.message)
      return
    }
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.type === 'done') waiting?.resolve(message.result)
    else waiting?.reject(message.isUnavailable ? away(message.message) : new Error(message.message))
  }
}

function away(cause: string): Fault {
  const detail = { loc: [], msg: 'Storage is not available, try again', type: 'unavailable' }
  return new Fault('unavailable', [detail], { retryAfterSeconds: 1, cause: new Error(cause) })
}
