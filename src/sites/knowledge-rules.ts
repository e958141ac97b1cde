import type { Caller } from '../access/caller.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Database, Tx } from '../database/database.ts'
import { type Entry, entryOf } from '../entries/entry.ts'
import { requireVisibleEntries } from '../entries/require-visible.ts'
import { listEntries, type ListPosition, touchEntries } from '../entries/store.ts'
import { notFound } from '../faults.ts'
import { advanceWatermark } from '../search/watermark.ts'
import type { SiteKnowledgeChange } from './contract.ts'
import { requireSite } from './rules.ts'
import * as store from './store.ts'

/** Ids of the entries that come to a site, and of those that leave it; each once. */
interface Move {
  readonly added: readonly string[]
  readonly removed: readonly string[]
}

/** Which entries belong to a site. Whoever changes that moves only the entries they may see. */
export class SiteKnowledgeRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** The site's entries, newest first, expired memory entries among them. */
  async list(
    caller: Caller,
    siteId: string,
    limit: number,
    after: ListPosition | null,
  ): Promise<{ entries: Entry[]; next: ListPosition | null }> {
    await requireSite(this.#database.queries, caller.tenant.id, siteId)
    const filters = { siteId, notExpiredAt: null }
    const { rows, next } = await listEntries(this.#database, caller, filters, { limit, after })
    return { entries: rows.map(entryOf), next }
  }

  /** What is there stays; adding twice is fine. */
  async add(caller: Caller, siteId: string, entryIds: readonly string[]): Promise<SiteKnowledgeChange> {
    return this.#change(caller, siteId, entryIds, async (tx) => {
      const known = new Set(await store.visibleEntryIds(tx, caller, siteId, entryIds))
      return { added: [...new Set(entryIds)].filter((id) => !known.has(id)), removed: [] }
    })
  }

  /** Makes the set exactly this, as far as the caller sees it. */
  async set(caller: Caller, siteId: string, entryIds: readonly string[]): Promise<SiteKnowledgeChange> {
    return this.#change(caller, siteId, entryIds, async (tx) => {
      const present = new Set(await store.visibleEntryIds(tx, caller, siteId))
      const wanted = new Set(entryIds)
      return { added: [...wanted.difference(present)], removed: [...present.difference(wanted)] }
    })
  }

  async remove(caller: Caller, siteId: string, entryId: string): Promise<void> {
    await this.#write(caller, siteId, async (tx, seq) => {
      const present = await store.visibleEntryIds(tx, caller, siteId, [entryId])
      if (present.length === 0) throw notFound(['path', 'entry_id'], 'Entry')
      await this.#move(tx, caller, siteId, { added: [], removed: [entryId] }, seq)
    })
  }

  /** Takes out every entry the caller sees. */
  async clear(caller: Caller, siteId: string): Promise<void> {
    await this.#write(caller, siteId, async (tx, seq) => {
      const removed = await store.visibleEntryIds(tx, caller, siteId)
      await this.#move(tx, caller, siteId, { added: [], removed }, seq)
    })
  }

  #change(
    caller: Caller,
    siteId: string,
    entryIds: readonly string[],
    plan: (tx: Tx) => Promise<Move>,
  ): Promise<SiteKnowledgeChange> {
    return this.#write(caller, siteId, async (tx, seq) => {
      await requireVisibleEntries(tx, caller, entryIds)
      const move = await plan(tx)
      await this.#move(tx, caller, siteId, move, seq)
      const total = await store.countVisibleEntries(tx, caller, siteId)
      return { site_id: siteId, added: move.added.length, removed: move.removed.length, total }
    })
  }

  /** Stamps what it moves, so that search restricted to the site follows at once. */
  async #move(tx: Tx, caller: Caller, siteId: string, { added, removed }: Move, seq: number): Promise<void> {
    if (added.length + removed.length === 0) return
    const tenantId = caller.tenant.id
    await store.addEntries(tx, tenantId, siteId, added)
    await store.removeEntries(tx, tenantId, siteId, removed)
    await touchEntries(tx, tenantId, [...added, ...removed], seq)
    await recordAudit(tx, tenantId, caller, [{ action: 'update', resourceType: 'site', resourceId: siteId }])
  }

  #write<T>(caller: Caller, siteId: string, work: (tx: Tx, seq: number) => Promise<T>): Promise<T> {
    return this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      await requireSite(tx, caller.tenant.id, siteId)
      return work(tx, seq)
    }, caller.tenant.id)
  }
}
