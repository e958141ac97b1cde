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
  /** External ids of the first unnamed products. */
  readonly externalIds: readonly string[]
  /** Number of products that the site had from the source when the run began. */
  readonly had: number
  /** Number of products that the run may retire. */
  readonly allowed: number
  /** Why the unnamed products were not retired: `stopped` where retiring failed on the way; null where they were. */
  readonly refusal: 'empty' | 'unread' | 'too many' | 'stopped' | null
  /** Fault that stopped the retiring; null without one. */
  readonly fault: Fault | null
  /** Number of lines that could not be read, and name of the first. Such a line may name any product. */
  readonly unread: { readonly count: number; readonly first: string }
  readonly isDryRun: boolean
}

interface SyncOptions {
  readonly maxRetired: MaxRetired
  /** Whether to write nothing. Named products are noted in memory instead, about 100 bytes for each stored one. */
  readonly dryRun: boolean
}

/**
 * One run over all products that a source has for a site. Each product row has the id of the run that last named it, so
 * the run needs no list in memory. Only `finish` retires, so a run that breaks off retires nothing.
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
    // The start is later than every earlier sync, even in one millisecond, so that only later writes spare products.
    const startedAt = Math.max(Date.now(), lastAt + 1)
    return new FullSync(database, scope, { startedAt, run: newIdAfter(lastRun) }, options)
  }

  /** Notes products that the run stored, or would store. @param ids ids of the products that exist */
  noteStored(ids: readonly string[]): void {
    this.#isEmpty = false
    if (this.#named !== null) for (const id of ids) this.#named.add(id)
  }

  /** Keeps the products of lines that could not be stored from being retired. */
  async keep(externalIds: readonly string[]): Promise<void> {
    if (externalIds.length === 0) return
    const { tenantId, siteId } = this.#scope
    if (this.#named === null) {
      this.noteStored([])
      await this.#database.write((tx) => markNamed(tx, this.#scope, externalIds, this.run), tenantId)
    } else {
      const { queries, portable } = this.#database
      this.noteStored([...(await findIds(queries, portable, tenantId, siteId, externalIds)).values()])
    }
  }

  /** Notes a line whose product is unknown, because it could not be read. @param name such as `line 7` */
  noteUnreadable(name: string): void {
    if (this.#unread.count++ === 0) this.#unread.first = name
  }

  /**
   * Retires the products that the run did not name. In three cases it retires none: when the run named nothing, because
   * an empty feed is probably broken; when a line could not be read, because it may name any product; and when more
   * products would be retired than allowed, because the feed was probably cut at the end of a line.
   *
   * It retires a page at a time, each in a transaction. Retired products stay retired when a later page fails.
   * @param renewCaller returns the caller with current rights; called before each page, whose audit record names them
   * @param faultOf turns an error that stops the retiring into the fault of the outcome; null throws the error again
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
    const findings = { unnamed, externalIds, had, allowed, unread: this.#unread, isDryRun }
    if (isLeft) return { ...findings, retired: 0, refusal, fault: null }
    const { retired, fault } = await this.#retire(renewCaller, faultOf)
    return { ...findings, retired, refusal: fault === null ? null : 'stopped', fault }
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

  /** Retires the products that are still unnamed once the tenant's watermark is locked. @returns their number */
  async #retireSome(tx: Tx, caller: Caller, ids: readonly string[]): Promise<number> {
    const { tenantId, siteId } = this.#scope
    const { seq } = await advanceWatermark(tx, tenantId)
    const current = await findSynced(tx, this.#database.portable, tenantId, ids)
    const rows = current.filter((row) => row.source === this.#scope.source && this.#isUnnamed(row))
    const externalIds = rows.flatMap((row) => row.external_id ?? [])
    const productIds = rows.map(({ id }) => id)
    const parents = await parentsOf(tx, tenantId, productIds)
    await retireProducts(tx, tenantId, productIds, Date.now(), seq)
    await unlinkVariants(tx, tenantId, siteId, externalIds, seq)
    await renewStockOfVariants(tx, tenantId, parents, seq)
    const events = rows.map(({ id }) => ({ action: 'retire', resourceType: 'product', resourceId: id }) as const)
    await recordAudit(tx, tenantId, caller, events)
    return rows.length
  }

  /**
   * Tells whether neither this run nor a later one named the product, and no other write has changed it since this run
   * began. Ids of runs sort by the time at which the runs began.
   */
  #isUnnamed({ id, last_synced_at: at, sync_run: run, retired_at: retiredAt }: SyncedRow): boolean {
    if (retiredAt !== null || (run !== null && run >= this.run) || (at !== null && at >= this.#startedAt)) return false
    return this.#named === null || !this.#named.has(id)
  }
}

/** Yields the products of a scope that are not retired, a page at a time, with pauses for other work. */
async function* pagesOf({ queries, portable }: Database, scope: SyncScope): AsyncGenerator<SyncedRow[]> {
  let after: SyncPosition | null = null
  do {
    const page: { rows: SyncedRow[]; next: SyncPosition | null } = await pageOfSite(queries, portable, scope, after)
    yield page.rows.filter((row) => row.source === scope.source && row.retired_at === null)
    await threadSlices.pause(scope.tenantId)
    after = page.next
  } while (after !== null)
}
