import type { Caller } from '../../platform/access/caller.ts'
import { mayReadBack } from '../../platform/access/read-back.ts'
import { recordAudit } from '../../platform/audit/audit.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { ListPosition } from '../../platform/database/walk.ts'
import { advanceWatermark } from '../../platform/database/watermark.ts'
import type { Entry } from '../../knowledge/entries/contract.ts'
import {
  putEntriesIn,
  type EntrySetChange,
  removeVisibleMembers,
  removeMember,
} from '../../knowledge/entries/membership/membership-rules.ts'
import { faultsOfEntryIds } from '../../knowledge/entries/visibility/require-visible.ts'
import { entriesOfSite } from '../../knowledge/entries/lists/site-entries.ts'
import type { Fault } from '../../platform/faults.ts'
import type { SiteKnowledgeChange } from './contract.ts'
import { requireSite } from './rules.ts'

/** Rules of the entries of a site. Callers add and remove only entries that they may see. */
export class SiteKnowledgeRules {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** Returns a page of the site's entries, newest first, with expired memory entries. */
  async list(
    caller: Caller,
    siteId: string,
    page: PageOf<ListPosition>,
  ): Promise<{ entries: Entry[]; next: ListPosition | null }> {
    await requireSite(this.#database.queries, caller.tenant.id, siteId)
    return entriesOfSite(this.#database, caller, siteId, page)
  }

  /** Adds entries; the others stay. @throws Fault not_found for the site; invalid for entries that do not exist */
  async add(caller: Caller, siteId: string, entryIds: readonly string[]): Promise<SiteKnowledgeChange> {
    return this.#setMembers(caller, siteId, entryIds, false)
  }

  /** Replaces the site's entries, except those that the caller may not see. @throws Fault like `add` */
  async set(caller: Caller, siteId: string, entryIds: readonly string[]): Promise<SiteKnowledgeChange> {
    return this.#setMembers(caller, siteId, entryIds, true)
  }

  /**
   * Returns the faults of the body of `add` or `set` that a check of its shape does not find.
   * @param body of any shape
   */
  faultsOf(caller: Caller, body: unknown): Promise<Fault[]> {
    return faultsOfEntryIds(this.#database.queries, caller, body)
  }

  /** Removes an entry. @throws Fault not_found when there is no such site, or the entry is not in it */
  async remove(caller: Caller, siteId: string, entryId: string): Promise<void> {
    await this.#write(caller, siteId, async (tx, change) => {
      if (await removeMember(tx, change, entryId)) await audit(tx, caller, siteId)
    })
  }

  /** Removes every entry that the caller may see. @throws Fault not_found */
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
      return mayReadBack(caller) ? { site_id: siteId, ...moved } : { site_id: siteId }
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
