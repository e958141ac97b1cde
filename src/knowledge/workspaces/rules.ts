import type { Caller } from '../../platform/access/caller.ts'
import type { Role } from '../../platform/access/scopes.ts'
import { CollectionRules } from '../collections/rules.ts'
import type { MembershipChange } from '../collections/contract.ts'
import { faultsOf } from '../../platform/contract/all-faults.ts'
import { idsIn } from '../../platform/contract/unchecked.ts'
import type { Database, Queries, Tx } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import { conflict, Fault, notFound } from '../../platform/faults.ts'
import type { WorkspaceMember } from './contract.ts'
import * as store from './store.ts'

/** Rules of workspaces, whose members are users. With the setting on, only members see a workspace's entries. */
export class WorkspaceRules extends CollectionRules {
  constructor(database: Database) {
    super(database, 'workspaces', 'workspace')
  }

  /** Returns a page of the members, by email address. @param withRole adds the role and `disabled` of each */
  async members(
    caller: Caller,
    id: string,
    page: PageOf<readonly [email: string]>,
    withRole: boolean,
  ): Promise<Page<WorkspaceMember, readonly [email: string]>> {
    const { queries } = this.database
    const { id: tenantId } = caller.tenant
    await this.require(queries, caller, id)
    const { items, next } = await readPage(
      tenantId,
      page,
      (after, limit) => store.listMembers(queries, tenantId, id, { after, limit }),
      ({ email }) => [email] as const,
    )
    const members = items.map(({ id: userId, email, name, role, disabled_at: at }) => ({
      user_id: userId,
      email,
      name,
      ...(withRole ? { role: role as Role, disabled: at !== null } : {}),
    }))
    return { items: members, next }
  }

  async addMembers(caller: Caller, id: string, userIds: readonly string[]): Promise<MembershipChange> {
    return this.#change(caller, id, userIds, false)
  }

  async setMembers(caller: Caller, id: string, userIds: readonly string[]): Promise<MembershipChange> {
    return this.#change(caller, id, userIds, true)
  }

  /**
   * Returns the faults of the body of `addMembers` or `setMembers` that a check of its shape does not find.
   * @param body of any shape
   */
  faultsOfMembers(caller: Caller, body: unknown): Promise<Fault[]> {
    return faultsOf([() => requireUsers(this.database.queries, caller.tenant.id, idsIn(body, 'user_ids'))])
  }

  async removeMember(caller: Caller, id: string, userId: string): Promise<void> {
    await this.write(caller, async (tx) => {
      await this.require(tx, caller, id)
      if ((await store.memberIds(tx, caller.tenant.id, id, [userId])).size === 0)
        throw notFound(['path', 'user_id'], 'Member')
      await store.removeMembers(tx, caller.tenant.id, id, [userId])
      await this.audit(tx, caller, 'update', id)
    })
  }

  /** Makes the creator a member, because otherwise they could not see the entries of their own workspace. */
  protected override async afterCreate(tx: Tx, caller: Caller, id: string): Promise<void> {
    if (caller.userId !== null) await store.addMembers(tx, caller.tenant.id, id, [caller.userId])
  }

  protected override async beforeRemove(tx: Tx, caller: Caller, id: string): Promise<void> {
    if (await store.workspaceHasEntries(tx, caller.tenant.id, id))
      throw conflict(['path', 'workspace_id'], 'The workspace still has entries')
  }

  async #change(caller: Caller, id: string, userIds: readonly string[], exactly: boolean): Promise<MembershipChange> {
    return this.write(caller, async (tx) => {
      await this.require(tx, caller, id)
      await requireUsers(tx, caller.tenant.id, userIds)
      const members = await store.memberIds(tx, caller.tenant.id, id)
      const nextMembers = new Set(userIds)
      const added = [...nextMembers.difference(members)]
      const removed = exactly ? [...members.difference(nextMembers)] : []
      await store.addMembers(tx, caller.tenant.id, id, added)
      await store.removeMembers(tx, caller.tenant.id, id, removed)
      if (added.length + removed.length > 0) await this.audit(tx, caller, 'update', id)
      return { added: added.length, removed: removed.length, total: members.size + added.length - removed.length }
    })
  }
}

/** @param ids null for an item that is not an id; the check of the shape reports it */
async function requireUsers(db: Queries, tenantId: string, ids: readonly (string | null)[]): Promise<void> {
  const userIds = await store.usersAmong(
    db,
    tenantId,
    ids.filter((id) => id !== null),
  )
  const details = ids.flatMap((id, i) =>
    id === null || userIds.has(id)
      ? []
      : [{ loc: ['body', 'user_ids', String(i)], msg: 'User does not exist', type: 'reference_not_found' }],
  )
  if (details.length > 0) throw new Fault('invalid', details.slice(0, 100))
}
