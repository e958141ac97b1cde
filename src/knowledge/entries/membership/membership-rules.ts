import type { Caller } from '../../../platform/access/caller.ts'
import { mayReadBack } from '../../../platform/access/read-back.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/faults.ts'
import * as memberships from './membership-store.ts'
import { requireVisibleEntries } from '../visibility/require-visible.ts'
import { touchEntries } from '../store.ts'
import { filterVisible } from '../visibility/visible-store.ts'

/** Numbers of added and removed entries, and of the entries that the set then has and the caller may see. */
export interface MembershipCount {
  readonly added: number
  readonly removed: number
  readonly total: number
}

/** Change of the entries of a project or site. */
export interface EntrySetChange {
  readonly caller: Caller
  readonly entrySet: memberships.EntrySet
  /** Number of the change in the tenant's history. Search indexes follow it. */
  readonly seq: number
}

/**
 * Adds entries to a project or site.
 * @param exactly whether to remove all other entries that the caller may see
 * @throws Fault invalid when an entry is unknown or invisible to the caller
 */
export async function putEntriesIn(
  tx: Tx,
  change: EntrySetChange,
  entryIds: readonly string[],
  exactly: boolean,
): Promise<MembershipCount> {
  await requireVisibleEntries(tx, change.caller, entryIds)
  const { caller, entrySet } = change
  const among = exactly ? undefined : entryIds
  const members = new Set(await memberships.visibleEntryIds(tx, caller, entrySet, among))
  const nextMembers = new Set(entryIds)
  const added = [...nextMembers.difference(members)]
  const removed = exactly ? [...members.difference(nextMembers)] : []
  await move(tx, change, added, removed)
  const total = await memberships.countVisibleEntries(tx, caller, entrySet)
  return { added: added.length, removed: removed.length, total }
}

/**
 * Removes an entry from a project or site.
 * @returns whether the entry was in it
 * @throws Fault not_found when the caller sees no such entry in it. To a caller who may not read, this fault would tell
 *   which entries are in it, so they get it only for an entry that they may not see at all
 */
export async function removeMember(tx: Tx, change: EntrySetChange, entryId: string): Promise<boolean> {
  const { caller, entrySet } = change
  const members = await memberships.visibleEntryIds(tx, caller, entrySet, [entryId])
  if (members.length === 0) {
    const isThere = !mayReadBack(caller) && (await filterVisible(tx, caller, [entryId])).has(entryId)
    if (isThere) return false
    throw notFound(['path', 'entry_id'], 'Entry')
  }
  await move(tx, change, [], [entryId])
  return true
}

/** Removes all entries that the caller may see. @returns the number of removed entries */
export async function removeVisibleMembers(tx: Tx, change: EntrySetChange): Promise<number> {
  const removed = await memberships.visibleEntryIds(tx, change.caller, change.entrySet)
  await move(tx, change, [], removed)
  return removed.length
}

/** Removes all entries, whatever their visibility, such as when a project is deleted. */
export async function removeAllMembers(
  tx: Tx,
  tenantId: string,
  entrySet: memberships.EntrySet,
  seq: number,
): Promise<void> {
  await memberships.clearSet(tx, tenantId, entrySet, (ids) => touchEntries(tx, tenantId, ids, seq))
}

async function move(
  tx: Tx,
  { caller, entrySet, seq }: EntrySetChange,
  added: readonly string[],
  removed: readonly string[],
): Promise<void> {
  const tenantId = caller.tenant.id
  await memberships.addEntries(tx, tenantId, entrySet, added)
  await memberships.removeEntries(tx, tenantId, entrySet, removed)
  await touchEntries(tx, tenantId, [...added, ...removed], seq)
}
