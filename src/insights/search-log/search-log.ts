import type { Caller } from '../../platform/access/caller.ts'
import { newId } from '../../platform/ids.ts'
import type { LoggedSearch } from '../../search/sections/section-search.ts'
import type { SearchClick } from '../analytics/contract.ts'
import type { EventCounter, WriteBehind } from './write-behind.ts'

/** Most ids logged for a page. No search shows more. */
const SHOWN_MAX = 100

/** Counts answered searches, besides the outcome of logged rows. */
export interface SearchCounter extends EventCounter {
  /** Counts an answered section of a search, whether or not it is logged. */
  answered(section: string, mode: string, isDegraded: boolean): void
}

/** Logs searches and clicks. Its methods never wait and never fail. */
export class SearchLog {
  readonly #behind: Pick<WriteBehind, 'search' | 'click'>
  readonly #counter: SearchCounter
  readonly #now: () => number
  readonly #onSearch: (tenantId: string) => void

  /** @param onSearch called for every search, also for one that is not logged, and once for a combined one */
  constructor(
    behind: Pick<WriteBehind, 'search' | 'click'>,
    counter: SearchCounter,
    now: () => number = Date.now,
    onSearch: (tenantId: string) => void = () => undefined,
  ) {
    this.#behind = behind
    this.#counter = counter
    this.#now = now
    this.#onSearch = onSearch
  }

  /** Logs a search. @returns the id for the answer, which is `search.id` or a new one, even when nothing is logged */
  record(search: LoggedSearch): string {
    const { caller, id = newId() } = search
    const { language, searchLog, searchLogQueries } = caller.tenant.settings
    this.#counter.answered(search.section, search.mode, search.degraded)
    if (search.id === undefined) this.#onSearch(caller.tenant.id)
    if (!searchLog) return id
    const logsText = searchLogQueries === 'keep'
    this.#behind.search({
      tenant_id: caller.tenant.id,
      id,
      section: search.section,
      at: this.#now(),
      site_id: search.siteId,
      mode: search.mode,
      query: logsText ? search.query : null,
      language,
      page_offset: search.offset,
      hits: search.hits,
      shown: JSON.stringify(search.shown.slice(0, SHOWN_MAX)),
      user_id: caller.userId,
      client_id: caller.audit.clientId,
      duration_ms: Math.round(search.durationMs * 100) / 100,
      visitor_id: visitorToLog(caller, search.visitorId),
    })
    return id
  }

  /**
   * Logs a click.
   * @param caller null when storage was away, so that the caller is unknown; the click then counts as dropped
   * @param ip address that the request came from
   */
  click(caller: Caller | null, click: SearchClick, ip: string): void {
    if (caller === null) {
      this.#counter.dropped('click', 'unidentified', 1)
      return
    }
    const visitorId = visitorToLog(caller, click.visitor_id)
    this.#behind.click({
      tenant_id: caller.tenant.id,
      id: newId(),
      at: this.#now(),
      search_log_id: click.search_log_id.toLowerCase(),
      action: click.action,
      product_id: click.product_id,
      section: click.section,
      rank: click.rank ?? 0,
      score: click.score ?? 0,
      user_id: caller.userId,
      client_id: caller.audit.clientId,
      visitor_id: visitorId,
      ip: visitorId === null ? null : ip,
    })
  }
}

/** Returns the visitor id to log; null for a user, who needs none, and without query texts to learn from. */
function visitorToLog({ userId, tenant }: Caller, visitorId: string | undefined): string | null {
  if (visitorId === undefined || userId !== null) return null
  const { searchLog, searchLogQueries } = tenant.settings
  return searchLog && searchLogQueries === 'keep' ? visitorId : null
}
