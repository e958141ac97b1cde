import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/audit.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import type { Fault } from '../../../platform/faults.ts'
import { newIdAfter } from '../../../platform/ids.ts'
import type { FaultOf } from '../../../platform/lines/push-batches.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import {
  findSynced,
  markNamed,
  pageOfSite,
  retireProducts,
  type SyncedRow,
  type SyncPosition,
  type SyncScope,
} from './full-sync-store.ts'
import { allowedOf, type MaxRetired } from './max-retired.ts'
import { findIds, unlinkVariants } from '../store.ts'
import { parentsOf, renewStockOfVariants } from '../variant-stock-store.ts'

/** Most external_ids that the outcome lists. */
const LISTED_MAX = 20

/** Outcome of a full sync. */
export interface SyncOutcome {
  /** Number of products that were retired; 0 in a dry run. */
  readonly retired: number
  /** Number of products that the run did not name. */
  readonly unnamed: number
  /** External ids of the first of them. */
  readonly externalIds: readonly string[]
  /** Number of products that the site had from the source when the run began. */
  readonly had: number
  /** How many of them the run may retire. */
  readonly allowed: number
  /** Why none was retired, where there were some; `stopped` where retiring failed on the way. */
  readonly refusal: 'empty' | 'unread' | 'too many' | 'stopped' | null
  /** What stopped it; null where nothing did. */
  readonly fault: Fault | null
  /** How many lines could not be read, and which was the first. Such a line may name any product. */
  readonly unread: { readonly count: number; readonly first: string }
  readonly isDryRun: boolean
}

interface SyncOptions {
  readonly maxRetired: MaxRetired
  /** Writes nothing. Named products are kept in memory instead, about 100 bytes for each one stored. */
  readonly dryRun: boolean
}

/**
 * One run over all products that a source has for a site. Each product row has the id of the run that last named it, so
 * nothing is held in memory. Only `finish` retires, so a run that breaks off retires nothing.
 */
export class FullSync {
  readonly run: string
  readonly #unread = { count: 0, first: '' }
  readonly #database: Database
  readonly #scope: SyncScope
  readonly #maxRetired: MaxRetired
  readonly #startedAt: number
  /** Ids of the products that a dry run named; null for a real run, which marks them in the database. */
  readonly #named: Set<string> | null
  #isEmpty = true

  private constructor(
    database: Database,
    scope: SyncScope,
    { startedAt, run }: { startedAt: number; run: string },
    { maxRetired, dryRun }: SyncOptions,
  ) {
    this.#database = database
    this.#scope = scope
    this.#startedAt = startedAt
    this.#maxRetired = maxRetired
    this.#named = dryRun ? new Set() : null
    this.run = run
  }

  static async begin(
    database: Database,
    caller: Caller,
    place: Omit<SyncScope, 'tenantId'>,
    options: SyncOptions,
  ): Promise<FullSync> {
    const scope = { ...place, tenantId: caller.tenant.id }
    let lastAt = 0
    let lastRun: string | null = null
    for await (const rows of pagesOf(database, scope)) {
      for (const { last_synced_at: at, sync_run: run } of rows) {
        if (at !== null && at > lastAt) lastAt = at
        if (run !== null && (lastRun === null || run > lastRun)) lastRun = run
      }
    }
    // Later than every earlier sync, even within one millisecond, so that only writes during this run are spared.
    const startedAt = Math.max(Date.now(), lastAt + 1)
    return new FullSync(database, scope, { startedAt, run: newIdAfter(lastRun) }, options)
  }

  /** Notes products that the run stored, or would store. @param ids of those that were stored before */
  named(ids: readonly string[]): void {
    this.#isEmpty = false
    if (this.#named !== null) for (const id of ids) this.#named.add(id)
  }

  /** Keeps the products of lines that named them but could not be stored. */
  async keep(externalIds: readonly string[]): Promise<void> {
    if (externalIds.length === 0) return
    const { tenantId, siteId } = this.#scope
    if (this.#named === null) {
      this.named([])
      await this.#database.write((tx) => markNamed(tx, this.#scope, externalIds, this.run), tenantId)
    } else {
      const { queries, portable } = this.#database
      this.named([...(await findIds(queries, portable, tenantId, siteId, externalIds)).values()])
    }
  }

  /** Notes a line that could not be read, so its product is unknown. @param name name of the line, such as `line 7` */
  missed(name: string): void {
    if (this.#unread.count++ === 0) this.#unread.first = name
  }

  /**
   * Retires the products that the run did not name, with three exceptions. A run that named nothing was an empty feed,
   * which is probably broken. A line that could not be read may have named any product. A run that would retire more
   * than it may was probably cut at the end of a line.
   *
   * It retires a page at a time, each in a transaction. What is retired stays so when a later page fails.
   * @param renewCaller answers who retires, with their rights as of now; asked before each page, and named in its audit
   * @param faultOf tells which errors stop the retiring and are told in the outcome; any other is thrown
   */
  async finish(renewCaller: () => Promise<Caller>, faultOf: FaultOf = () => null): Promise<SyncOutcome> {
    let unnamed = 0
    let had = 0
    const externalIds: string[] = []
    for await (const rows of pagesOf(this.#database, this.#scope)) {
      for (const row of rows) {
        if (row.created_at < this.#startedAt) had++
        if (!this.#isUnnamed(row)) continue
        unnamed++
        if (row.external_id !== null && externalIds.length < LISTED_MAX) externalIds.push(row.external_id)
      }
    }
    const allowed = allowedOf(this.#maxRetired, had)
    const refusal =
      unnamed === 0
        ? null
        : this.#isEmpty
          ? 'empty'
          : this.#unread.count > 0
            ? 'unread'
            : unnamed > allowed
              ? 'too many'
              : null
    const isDryRun = this.#named !== null
    const isLeft = unnamed === 0 || refusal !== null || isDryRun
    const known = { unnamed, externalIds, had, allowed, unread: this.#unread, isDryRun }
    if (isLeft) return { ...known, retired: 0, refusal, fault: null }
    const { retired, fault } = await this.#retire(renewCaller, faultOf)
    return { ...known, retired, refusal: fault === null ? null : 'stopped', fault }
  }

  async #retire(
    renewCaller: () => Promise<Caller>,
    faultOf: FaultOf,
  ): Promise<{ retired: number; fault: Fault | null }> {
    let retired = 0
    try {
      for await (const rows of pagesOf(this.#database, this.#scope)) {
        const ids = rows.filter((row) => this.#isUnnamed(row)).map(({ id }) => id)
        if (ids.length === 0) continue
        const caller = await renewCaller()
        retired += await this.#database.write((tx) => this.#retireSome(tx, caller, ids), this.#scope.tenantId)
      }
    } catch (error) {
      const fault = faultOf(error)
      if (fault === null) throw error
      return { retired, fault }
    }
    return { retired, fault: null }
  }

  /** Retires those that are still unnamed once the tenant's write lock is held. @returns how many */
  async #retireSome(tx: Tx, caller: Caller, ids: readonly string[]): Promise<number> {
    const { tenantId, siteId } = this.#scope
    const { seq } = await advanceWatermark(tx, tenantId)
    const found = await findSynced(tx, this.#database.portable, tenantId, ids)
    const rows = found.filter((row) => row.source === this.#scope.source && this.#isUnnamed(row))
    const externalIds = rows.flatMap((row) => row.external_id ?? [])
    const retired = rows.map(({ id }) => id)
    const parents = await parentsOf(tx, tenantId, retired)
    await retireProducts(tx, tenantId, retired, Date.now(), seq)
    await unlinkVariants(tx, tenantId, siteId, externalIds, seq)
    await renewStockOfVariants(tx, tenantId, parents, seq)
    const events = rows.map(({ id }) => ({ action: 'retire', resourceType: 'product', resourceId: id }) as const)
    await recordAudit(tx, tenantId, caller, events)
    return rows.length
  }

  /**
   * Whether neither this run nor a later one named the product, and nobody has written it since this run began. Ids of
   * runs sort by when the runs began.
   */
  #isUnnamed({ id, last_synced_at: at, sync_run: run, retired_at: retiredAt }: SyncedRow): boolean {
    if (retiredAt !== null || (run !== null && run >= this.run) || (at !== null && at >= this.#startedAt)) return false
    return this.#named === null || !this.#named.has(id)
  }
}

/** The products of a scope that are not retired, a page at a time, with pauses for other work. */
async function* pagesOf({ queries, portable }: Database, scope: SyncScope): AsyncGenerator<SyncedRow[]> {
  let after: SyncPosition | null = null
  do {
    const page: { rows: SyncedRow[]; next: SyncPosition | null } = await pageOfSite(queries, portable, scope, after)
    yield page.rows.filter((row) => row.source === scope.source && row.retired_at === null)
    await threadSlices.pause(scope.tenantId)
    after = page.next
  } while (after !== null)
}
