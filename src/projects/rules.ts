import type { Caller } from '../access/caller.ts'
import { CollectionRules } from '../collections/rules.ts'
import type { MembershipChange } from '../collections/contract.ts'
import type { Database, Tx } from '../database/database.ts'
import { requireVisibleEntries } from '../entries/require-visible.ts'
import { touchEntries } from '../entries/store.ts'
import { notFound } from '../faults.ts'
import * as store from './store.ts'

/** Projects gather entries. Whoever changes one moves only the entries they may see. */
export class ProjectRules extends CollectionRules {
  constructor(database: Database) {
    super(database, 'projects', 'project')
  }

  /** What is there stays; adding twice is fine. */
  async addEntries(caller: Caller, id: string, entryIds: readonly string[]): Promise<MembershipChange> {
    return this.#change(caller, id, entryIds, () => [])
  }

  /** Makes the set exactly this, as far as the caller sees it. */
  async setEntries(caller: Caller, id: string, entryIds: readonly string[]): Promise<MembershipChange> {
    return this.#change(caller, id, entryIds, (present) => present.filter((entryId) => !entryIds.includes(entryId)))
  }

  async removeEntry(caller: Caller, id: string, entryId: string): Promise<void> {
    await this.write(caller, async (tx, seq) => {
      await this.require(tx, caller, id)
      const present = await store.visibleEntryIds(tx, caller, id)
      if (!present.includes(entryId)) throw notFound(['path', 'entry_id'], 'Entry')
      await store.removeEntries(tx, caller.tenant.id, id, [entryId])
      await touchEntries(tx, caller.tenant.id, [entryId], seq)
      await this.audit(tx, caller, 'update', id)
    })
  }

  protected override async beforeRemove(tx: Tx, caller: Caller, id: string, seq: number): Promise<void> {
    await store.touchProjectEntries(tx, caller.tenant.id, id, seq)
  }

  async #change(
    caller: Caller,
    id: string,
    entryIds: readonly string[],
    leaving: (present: readonly string[]) => string[],
  ): Promise<MembershipChange> {
    return this.write(caller, async (tx, seq) => {
      await this.require(tx, caller, id)
      await requireVisibleEntries(tx, caller, entryIds)
      const present = await store.visibleEntryIds(tx, caller, id)
      const known = new Set(present)
      const added = [...new Set(entryIds)].filter((entryId) => !known.has(entryId))
      const removed = leaving(present)
      await store.addEntries(tx, caller.tenant.id, id, added)
      await store.removeEntries(tx, caller.tenant.id, id, removed)
      await touchEntries(tx, caller.tenant.id, [...added, ...removed], seq)
      if (added.length + removed.length > 0) await this.audit(tx, caller, 'update', id)
      return { added: added.length, removed: removed.length, total: present.length + added.length - removed.length }
    })
  }
}
