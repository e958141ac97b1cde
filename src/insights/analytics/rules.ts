import type { Caller } from '../../platform/access/caller.ts'
import { invalid } from '../../platform/faults.ts'
import { FairSlots } from '../../platform/threads/fair-slots.ts'
import type { SearchAnalytics, SearchAnalyticsQuery } from './contract.ts'
import type { LogThread } from '../log-thread/log-thread.ts'

const DEFAULT_RANGE_MS = 30 * 86_400_000
/** Earliest moment that an answer can write as a date-time. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z')
/** Bounds of analyses at the same time. Two in all, so that the log thread's third connection stays free to write. */
const ANALYSES_AT_ONCE = { slots: 2, perOwner: 1, waitMs: 30_000 }

/** Reads the figures of searches. */
export class AnalyticsRules {
  readonly #thread: Pick<LogThread, 'analyse'>
  readonly #slots = new FairSlots(ANALYSES_AT_ONCE)

  constructor(thread: Pick<LogThread, 'analyse'>) {
    this.#thread = thread
  }

  /**
   * Returns the figures of a range of time.
   * @throws Fault invalid when the range ends before it begins; SlotTimeout when no slot is free for the tenant in time
   */
  async read(caller: Caller, query: SearchAnalyticsQuery): Promise<SearchAnalytics> {
    const to = query.to === undefined ? Date.now() : Date.parse(query.to)
    const from = query.from === undefined ? Math.max(to - DEFAULT_RANGE_MS, FIRST_MOMENT) : Date.parse(query.from)
    if (from > to) throw invalid(['query', 'from'], 'value_error', 'from should not be after to')
    const { id: tenantId } = caller.tenant
    const { site_id: siteId = null, section = null, limit = 10 } = query
    return this.#slots.run(tenantId, () => this.#thread.analyse(tenantId, { from, to, siteId, section, limit }))
  }
}
