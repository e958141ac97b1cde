import type { Caller } from '../access/caller.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Database, Queries } from '../database/database.ts'
import { newIdAfter } from '../ids.ts'
import { advanceWatermark } from '../database/watermark.ts'
import { lastSync, markNamed, retireProducts, type SyncScope, unnamed } from './full-sync-store.ts'
import { unlinkVariants } from './store.ts'

/** Products retired in one transaction. */
const RETIRE_BATCH = 500

/**
 * One pass over everything a channel has for a site. Products carry the id of the run that named them last, so
 * nothing is held in memory; only `finish` retires, so a run that breaks off retires nothing.
 */
export class FullSync {
  readonly run: string
  readonly #database: Database
  readonly #scope: SyncScope
  readonly #startedAt: number
  #isEmpty = true

  private constructor(database: Database, scope: SyncScope, startedAt: number, run: string) {
    this.#database = database
    this.#scope = scope
    this.#startedAt = startedAt
    this.run = run
  }

  static async begin(database: Database, caller: Caller, place: Omit<SyncScope, 'tenantId'>): Promise<FullSync> {
    const scope = { ...place, tenantId: caller.tenant.id }
    const last = await lastSync(database.queries, scope)
    // Later than every sync so far even within one millisecond, so that only writes beside this run are spared.
    const startedAt = Math.max(Date.now(), last.at + 1)
    return new FullSync(database, scope, startedAt, newIdAfter(last.run))
  }

  /** The run has stored something, or would have. */
  named(): void {
    this.#isEmpty = false
  }

  /** Keeps the products of lines that could be read and not stored: a bad line spoils only itself. */
  async keep(externalIds: readonly string[]): Promise<void> {
    if (externalIds.length === 0) return
    this.named()
    await this.#database.write((tx) => markNamed(tx, this.#scope, externalIds, this.run), this.#scope.tenantId)
  }

  /**
   * Retires what the run did not name. A run that named nothing retires nothing: an empty feed is a broken one.
   * @param caller who is named in the audit
   * @returns how many were retired
   */
  async finish(caller: Caller): Promise<number> {
    // Nothing joins what the run did not name, so without the lock there is nothing to miss; and on most nights
    // there is nothing to retire, nor a number of the tenant's history to use up.
    if (this.#isEmpty || (await this.#unnamed(this.#database.queries, '', 1)).length === 0) return 0
    let retired = 0
    for (let after = ''; ;) {
      const ids = await this.#retireSome(caller, after)
      retired += ids.length
      if (ids.length < RETIRE_BATCH) return retired
      after = ids[ids.length - 1]
    }
  }

  #unnamed(db: Queries, after: string, limit: number): ReturnType<typeof unnamed> {
    return unnamed(db, this.#scope, { run: this.run, startedAt: this.#startedAt }, after, limit)
  }

  #retireSome(caller: Caller, after: string): Promise<string[]> {
    const { tenantId, siteId } = this.#scope
    return this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      const rows = await this.#unnamed(tx, after, RETIRE_BATCH)
      const ids = rows.map((row) => row.id)
      const externalIds = rows.flatMap((row) => row.external_id ?? [])
      await retireProducts(tx, tenantId, ids, Date.now(), seq)
      await unlinkVariants(tx, tenantId, siteId, externalIds, seq)
      const events = ids.map((id) => ({ action: 'retire', resourceType: 'product', resourceId: id }) as const)
      await recordAudit(tx, tenantId, caller, events)
      return ids
    }, tenantId)
  }
}
