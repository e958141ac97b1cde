import type { Caller } from '../../platform/access/caller.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/database/database.ts'
import { referenceNotFound } from '../../platform/faults.ts'
import { FairSlots } from '../../platform/threads/fair-slots.ts'
import type { LogThread } from '../log-thread/log-thread.ts'
import { queryKeyOf } from '../search-log/query-key.ts'
import { listSiteFlags } from './boost-store.ts'
import { flagOf } from './site-flag.ts'
import type { LearningDone, LearntForQuery, LearntQueriesQuery, LearntQuery, QueryWithBoosts } from './contract.ts'

/** One computation at a time, since it shares the log thread's connections with writes and analyses. */
const AT_ONCE = { slots: 1, perOwner: 1, waitMs: 30_000 }

/** Length of the list of queries when the request names none. */
const QUERIES_DEFAULT = 20

type Thread = Pick<LogThread, 'learn' | 'learntFor' | 'learntQueries'>

/** Learns from clicks on request, and shows the boosts with their reasons. */
export class LearningRules {
  readonly #database: Database
  readonly #thread: Thread
  readonly #slots = new FairSlots(AT_ONCE)

  constructor(database: Database, thread: Thread) {
    this.#database = database
    this.#thread = thread
  }

  /** Computes the boosts of the tenant now. @throws SlotTimeout while another computation runs */
  async learn(caller: Caller): Promise<LearningDone> {
    const { id: tenantId } = caller.tenant
    const now = Date.now()
    const queries = await this.#slots.run(tenantId, () => this.#thread.learn(tenantId, now))
    const event = { action: 'update', resourceType: 'click_boosts', resourceId: tenantId } as const
    await this.#database.write((tx) => recordAudit(tx, tenantId, caller, [event]), tenantId)
    return { queries, learnt_at: new Date(now).toISOString() }
  }

  /**
   * Returns the boosts for a query, and from how many visitors they come.
   * @throws Fault invalid at `query.site_id` when there is no such site; SlotTimeout like `learn`
   */
  async learntFor(caller: Caller, { query, site_id }: LearntQuery): Promise<LearntForQuery> {
    const { id: tenantId, settings } = caller.tenant
    const site = site_id === undefined ? null : await this.#site(tenantId, site_id)
    const about = {
      tenantId,
      siteId: site?.id ?? null,
      queryKey: queryKeyOf(query, settings.language),
      isLearning: flagOf(site?.learns, settings.clickLearning),
      areTrusted: flagOf(site?.trusts, settings.trustedVisitors),
      now: Date.now(),
    }
    return this.#slots.run(tenantId, () => this.#thread.learntFor(about))
  }

  /** Returns the queries with boosts, those with the strongest boosts first. @throws like `learntFor` */
  async learntQueries(
    caller: Caller,
    { site_id, limit = QUERIES_DEFAULT }: LearntQueriesQuery,
  ): Promise<QueryWithBoosts[]> {
    const { id: tenantId, settings } = caller.tenant
    const site = site_id === undefined ? null : await this.#site(tenantId, site_id)
    // Boosts from before learning was switched off move no product.
    if (!flagOf(site?.learns, settings.clickLearning)) return []
    return this.#slots.run(tenantId, () => this.#thread.learntQueries({ tenantId, siteId: site?.id ?? null, limit }))
  }

  async #site(tenantId: string, idOrSlug: string) {
    const sites = await listSiteFlags(this.#database, tenantId)
    const site = sites.find(({ id }) => id === idOrSlug.toLowerCase()) ?? sites.find(({ slug }) => slug === idOrSlug)
    if (site === undefined) throw referenceNotFound(['query', 'site_id'], 'Site')
    return site
  }
}
