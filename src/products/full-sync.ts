import type { Caller } from '../access/caller.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Database } from '../database/database.ts'
import { advanceWatermark } from '../database/watermark.ts'
import { newId } from '../ids.ts'
import { lastSyncedAt, markNamed, retireProducts, type SyncScope, unnamed } from './full-sync-store.ts'
import { unlinkVariants } from './store.ts'

/** Products retired in one transaction. */
const RETIRE_BATCH = 500

/**
 * One pass over everything a channel has for a site. Products carry the id of the run that named them last, so
 * nothing is held in memory; only `finish` retires, so a run that breaks off retires nothing.
 */
export class FullSync {
  readonly run = newId()
  readonly #database: Database
  readonly #caller: Caller
  readonly #scope: SyncScope
  readonly #startedAt: number
  #isEmpty = true

  private constructor(database: Database, caller: Caller, scope: SyncScope, startedAt: number) {
    this.#database = database
    this.#caller = caller
    this.#scope = scope
    this.#startedAt = startedAt
  }

  static async begin(database: Database, caller: Caller, place: Omit<SyncScope, 'tenantId'>): Promise<FullSync> {
    const scope = { ...place, tenantId: caller.tenant.id }
    // Later than every sync so far even within one millisecond, so that only writes beside this run are spared.
    const startedAt = Math.max(Date.now(), (await lastSyncedAt(database.queries, scope)) + 1)
    return new FullSync(database, caller, scope, startedAt)
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
   * @returns how many were retired
   */
  async finish(): Promise<number> {
    if (this.#isEmpty) return 0
    let retired = 0
    for (let after: string | null = ''; after !== null;) {
      const from: string = after
      const ids: string[] = await this.#retireSome(from)
      retired += ids.length
      after = ids.at(-1) ?? null
    }
    return retired
  }

  #retireSome(after: string): Promise<string[]> {
    const { tenantId, siteId } = this.#scope
    return this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, tenantId)
      const facts = { run: this.run, startedAt: this.#startedAt }
      const rows = await unnamed(tx, this.#scope, facts, after, RETIRE_BATCH)
      const ids = rows.map((row) => row.id)
      const externalIds = rows.flatMap((row) => row.external_id ?? [])
      await retireProducts(tx, tenantId, ids, Date.now(), seq)
      await unlinkVariants(tx, tenantId, siteId, externalIds, seq)
      const events = ids.map((id) => ({ action: 'retire', resourceType: 'product', resourceId: id }) as const)
      await recordAudit(tx, tenantId, this.#caller, events)
      return ids
    }, tenantId)
  }
}
