import type { Caller } from '../../platform/access/caller.ts'
import type { MembershipChange } from '../collections/contract.ts'
import { CollectionRules } from '../collections/rules.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import type { Fault } from '../../platform/faults.ts'
import { faultsOfEntryIds } from '../entries/visibility/require-visible.ts'
import { putEntriesIn, removeAllMembers, removeMember } from '../entries/membership/membership-rules.ts'

/** Rules of projects, which collect entries. Callers add and remove only entries that they may see. */
export class ProjectRules extends CollectionRules {
  constructor(database: Database) {
    super(database, 'projects', 'project')
  }

  /** Adds entries; the others stay. @throws Fault not_found for the project; invalid for entries that do not exist */
  async addEntries(caller: Caller, id: string, entryIds: readonly string[]): Promise<MembershipChange> {
    return this.#setMembers(caller, id, entryIds, false)
  }

  /** Replaces the project's entries, except those that the caller may not see. @throws Fault like `addEntries` */
  async setEntries(caller: Caller, id: string, entryIds: readonly string[]): Promise<MembershipChange> {
    return this.#setMembers(caller, id, entryIds, true)
  }

  /**
   * Returns the faults of the body of `addEntries` or `setEntries` that a check of its shape does not find.
   * @param body of any shape
   */
  faultsOfEntries(caller: Caller, body: unknown): Promise<Fault[]> {
    return faultsOfEntryIds(this.database.queries, caller, body)
  }

  /** Removes an entry. @throws Fault not_found when there is no such project, or the entry is not in it */
  async removeEntry(caller: Caller, id: string, entryId: string): Promise<void> {
    await this.write(caller, async (tx, seq) => {
      await this.require(tx, caller, id)
      const change = { caller, entrySet: { kind: 'project', id }, seq } as const
      if (await removeMember(tx, change, entryId)) await this.audit(tx, caller, 'update', id)
    })
  }

  protected override async beforeRemove(tx: Tx, caller: Caller, id: string, seq: number): Promise<void> {
    await removeAllMembers(tx, caller.tenant.id, { kind: 'project', id }, seq)
  }

  #setMembers(caller: Caller, id: string, entryIds: readonly string[], exactly: boolean): Promise<MembershipChange> {
    return this.write(caller, async (tx, seq) => {
      await this.require(tx, caller, id)
      const change = { caller, entrySet: { kind: 'project', id }, seq } as const
      const moved = await putEntriesIn(tx, change, entryIds, exactly)
      if (moved.added + moved.removed > 0) await this.audit(tx, caller, 'update', id)
      return moved
    })
  }
}
