import type { Caller } from '../../platform/access/caller.ts'
import { isTold } from '../../platform/access/told.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { ListPosition } from '../../platform/database/walk.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import type { Entry } from '../../knowledge/entries/contract.ts'
import { entryOf } from '../../knowledge/entries/entry.ts'
import {
  putEntriesIn,
  type EntrySetChange,
  removeVisibleMembers,
  removeMember,
} from '../../knowledge/entries/membership/membership-rules.ts'
import { faultsOfEntryIds } from '../../knowledge/entries/visibility/require-visible.ts'
import { listEntries } from '../../knowledge/entries/rules.ts'
import type { Fault } from '../../platform/faults.ts'
import { mapInSlices } from '../../platform/threads/slices.ts'
import type { SiteKnowledgeChange } from './contract.ts'
import { requireSite } from './rules.ts'

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
    page: PageOf<ListPosition>,
  ): Promise<{ entries: Entry[]; next: ListPosition | null }> {
    await requireSite(this.#database.queries, caller.tenant.id, siteId)
    const filters = { siteId, notExpiredAt: null }
    const { rows, next } = await listEntries(this.#database, caller, filters, page)
    return { entries: await mapInSlices(caller.tenant.id, rows, entryOf), next }
  }

  /** What is there stays; adding twice is fine. @throws Fault not_found; invalid naming an entry that is none */
  async add(caller: Caller, siteId: string, entryIds: readonly string[]): Promise<SiteKnowledgeChange> {
    return this.#setMembers(caller, siteId, entryIds, false)
  }

  /** Makes the set exactly this, as far as the caller sees it. @throws Fault like `add` */
  async set(caller: Caller, siteId: string, entryIds: readonly string[]): Promise<SiteKnowledgeChange> {
    return this.#setMembers(caller, siteId, entryIds, true)
  }

  /** What is wrong with the body of `add` and `set` beyond its shape, whatever that is. */
  faultsOf(caller: Caller, body: unknown): Promise<Fault[]> {
    return faultsOfEntryIds(this.#database.queries, caller, body)
  }

  /** Takes an entry out. @throws Fault not_found when there is no such site, or the entry is not in it */
  async remove(caller: Caller, siteId: string, entryId: string): Promise<void> {
    await this.#write(caller, siteId, async (tx, change) => {
      if (await removeMember(tx, change, entryId)) await audit(tx, caller, siteId)
    })
  }

  /** Takes out every entry the caller sees. @throws Fault not_found */
  async clear(caller: Caller, siteId: string): Promise<void> {
    await this.#write(caller, siteId, async (tx, change) => {
      if ((await removeVisibleMembers(tx, change)) > 0) await audit(tx, caller, siteId)
    })
  }

  #setMembers(
    caller: Caller,
    siteId: string,
    entryIds: readonly string[],
    exactly: boolean,
  ): Promise<SiteKnowledgeChange> {
    return this.#write(caller, siteId, async (tx, change) => {
      const moved = await putEntriesIn(tx, change, entryIds, exactly)
      if (moved.added + moved.removed > 0) await audit(tx, caller, siteId)
      return isTold(caller) ? { site_id: siteId, ...moved } : { site_id: siteId }
    })
  }

  #write<T>(caller: Caller, siteId: string, work: (tx: Tx, change: EntrySetChange) => Promise<T>): Promise<T> {
    return this.#database.write(async (tx) => {
      const { seq } = await advanceWatermark(tx, caller.tenant.id)
      await requireSite(tx, caller.tenant.id, siteId)
      return work(tx, { caller, entrySet: { kind: 'site', id: siteId }, seq })
    }, caller.tenant.id)
  }
}

async function audit(tx: Tx, caller: Caller, siteId: string): Promise<void> {
  await recordAudit(tx, caller.tenant.id, caller, [{ action: 'update', resourceType: 'site', resourceId: siteId }])
}
