import { Fault } from '../../platform/faults.ts'
import { PendingCalls } from '../../platform/threads/pending-calls.ts'
import { Supervisor, type ThreadHealth, type ThreadLog } from '../../platform/threads/supervisor.ts'
import type { AnalyticsRange } from '../analytics/analytics.ts'
import type { SearchAnalytics } from '../analytics/contract.ts'
import type { LogOrder, LogPlace, LogReport, LogThreadProtocol } from './log-worker.ts'
import type { QueuedBatch } from '../search-log/queued.ts'
import type { BatchOutcome } from '../search-log/write-behind.ts'

/** When it starts unless something is to be done before: it also sweeps and learns where nobody searches. */
const START_DELAY_MS = 10_000

/**
 * The thread that writes the search log, counts it, sweeps it and learns from it, with a database connection of
 * its own: with the embedded database each of these would hold up the answers of this thread. It starts with the
 * first thing there is to do, so that loading it does not delay the start of the service.
 */
export class LogThread {
  readonly #thread: Supervisor<LogThreadProtocol>
  readonly #orders = new PendingCalls<null>()

  constructor(place: LogPlace, log: ThreadLog) {
    this.#thread = new Supervisor({
      name: 'log',
      module: new URL('log-worker.ts', import.meta.url),
      data: place,
      startAfterMs: START_DELAY_MS,
      log,
      onMessage: (message) => this.#hear(message),
      onEnd: () => this.#orders.rejectAll(away('the log thread ended')),
    })
  }

  get health(): ThreadHealth {
    return this.#thread.health
  }

  /** @throws when storage is away; nothing of the batch was written then, or all of it will be found written */
  write(batch: QueuedBatch): Promise<BatchOutcome> {
    return this.#ask<BatchOutcome>({ order: 'write', batch })
  }

  /** @throws Fault unavailable when storage or the thread is away */
  analyse(tenantId: string, range: AnalyticsRange): Promise<SearchAnalytics> {
    return this.#ask<SearchAnalytics>({ order: 'analyse', tenantId, range })
  }

  /** Finishes what runs, as far as that takes no longer than a supervisor waits; the rest fails. */
  async close(): Promise<void> {
    await this.#thread.close()
    this.#orders.rejectAll(away('the log thread is closed'))
  }

  #ask<T>(order: LogOrder): Promise<T> {
    return this.#orders.open<T>(null, (id) => {
      if (!this.#thread.post({ ...order, id })) this.#orders.reject(id, away('the log thread is not running'))
    })
  }

  #hear(message: LogReport): void {
    if (message.type === 'done') this.#orders.resolve(message.id, message.result)
    else this.#orders.reject(message.id, message.isUnavailable ? away(message.message) : new Error(message.message))
  }
}

function away(cause: string): Fault {
  const detail = { loc: [], msg: 'Storage is not available, try again', type: 'unavailable' }
  return new Fault('unavailable', [detail], { retryAfterSeconds: 1, cause: new Error(cause) })
}
