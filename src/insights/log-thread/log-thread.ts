import { Fault } from '../../platform/faults.ts'
import { PendingCalls } from '../../platform/threads/pending-calls.ts'
import { Supervisor, type ThreadHealth, type ThreadLog } from '../../platform/threads/supervisor.ts'
import type { AnalyticsRange } from '../analytics/analytics.ts'
import type { SearchAnalytics } from '../analytics/contract.ts'
import type { LearntForQuery, QueryWithBoosts } from '../learning/contract.ts'
import type { LearntAbout, LearntQueriesOf } from '../learning/learnt.ts'
import type { LogOrder, LogPlace, LogReport, LogThreadProtocol } from './log-worker.ts'
import type { QueuedBatch } from '../search-log/queued.ts'
import type { BatchOutcome } from '../search-log/write-behind.ts'

/** Time after which the thread starts even without an order, since it also sweeps and learns. */
const START_DELAY_MS = 10_000

/**
 * Runs the thread that writes, analyses and sweeps the search log and learns from it, with its own database
 * connections. With the embedded database, this work would otherwise delay the answers of the main thread. The thread
 * starts with its first order, so that loading it does not delay the start of the service.
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
      onMessage: (message) => this.#settle(message),
      onEnd: () => this.#orders.rejectAll(away('the log thread ended')),
    })
  }

  get health(): ThreadHealth {
    return this.#thread.health
  }

  /** Writes a batch. @throws when storage is away; the batch may be written by then, and sending it again is safe */
  write(batch: QueuedBatch): Promise<BatchOutcome> {
    return this.#ask<BatchOutcome>({ order: 'write', batch })
  }

  /** Returns the figures of a tenant's searches. @throws Fault unavailable when storage or the thread is away */
  analyse(tenantId: string, range: AnalyticsRange): Promise<SearchAnalytics> {
    return this.#ask<SearchAnalytics>({ order: 'analyse', tenantId, range })
  }

  /**
   * Computes the boosts of a tenant.
   * @param now milliseconds since 1970
   * @returns number of queries with boosts
   * @throws Fault unavailable when storage or the thread is away
   */
  learn(tenantId: string, now: number): Promise<number> {
    return this.#ask<number>({ order: 'learn', tenantId, now })
  }

  /** Returns the boosts for a query and their reasons. @throws Fault unavailable when storage or the thread is away */
  learntFor(about: LearntAbout): Promise<LearntForQuery> {
    return this.#ask<LearntForQuery>({ order: 'learnt', about })
  }

  /** Returns the queries with boosts. @throws Fault unavailable when storage or the thread is away */
  learntQueries(of: LearntQueriesOf): Promise<QueryWithBoosts[]> {
    return this.#ask<QueryWithBoosts[]>({ order: 'learnt-queries', of })
  }

  /** Ends the thread. Running work may finish for as long as a supervisor waits; orders that are open then fail. */
  async close(): Promise<void> {
    await this.#thread.close()
    this.#orders.rejectAll(away('the log thread is closed'))
  }

  #ask<T>(order: LogOrder): Promise<T> {
    return this.#orders.open<T>(null, (id) => {
      if (!this.#thread.post({ ...order, id })) this.#orders.reject(id, away('the log thread is not running'))
    })
  }

  #settle(message: LogReport): void {
    if (message.type === 'done') this.#orders.resolve(message.id, message.result)
    else this.#orders.reject(message.id, message.isUnavailable ? away(message.message) : new Error(message.message))
  }
}

function away(cause: string): Fault {
  const detail = { loc: [], msg: 'Storage is not available, try again', type: 'unavailable' }
  return new Fault('unavailable', [detail], { retryAfterSeconds: 1, cause: new Error(cause) })
}
