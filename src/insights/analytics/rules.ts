import type { Caller } from '../../platform/access/caller.ts'
import { invalid } from '../../platform/faults.ts'
import type { SearchAnalytics, SearchAnalyticsQuery } from './contract.ts'
import type { LogThread } from '../log-thread/log-thread.ts'

const DEFAULT_RANGE_MS = 30 * 86_400_000
/** An earlier one could not be written as a date-time of the answer. */
const FIRST_MOMENT = Date.parse('0000-01-01T00:00:00Z')

export class AnalyticsRules {
  readonly #thread: Pick<LogThread, 'analyse'>

  constructor(thread: Pick<LogThread, 'analyse'>) {
    this.#thread = thread
  }

  /** @throws Fault when the range ends before it begins */
  async read(caller: Caller, query: SearchAnalyticsQuery): Promise<SearchAnalytics> {
    const to = query.to === undefined ? Date.now() : Date.parse(query.to)
    const from = query.from === undefined ? Math.max(to - DEFAULT_RANGE_MS, FIRST_MOMENT) : Date.parse(query.from)
    if (from > to) throw invalid(['query', 'from'], 'value_error', 'from should not be after to')
    return this.#thread.analyse(caller.tenant.id, {
      from,
      to,
      siteId: query.site_id ?? null,
      section: query.section ?? null,
      limit: query.limit ?? 10,
    })
  }
}
