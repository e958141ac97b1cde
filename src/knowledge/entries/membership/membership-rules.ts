import type { Caller } from '../../../platform/access/caller.ts'
import { isTold } from '../../../platform/access/told.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { notFound } from '../../../platform/faults.ts'
import * as memberships from './membership-store.ts'
import { requireVisibleEntries } from '../visibility/require-visible.ts'
import { touchEntries } from '../store.ts'
import { filterVisible } from '../visibility/visible-store.ts'

/** How many entries came in and went out, and how many are in there now, as far as the caller sees them. */
export interface MembershipCount {
  readonly added: number
  readonly removed: number
  readonly total: number
}

/** A change of which entries a project or site has; search follows by the number it takes. */
export interface EntrySetChange {
  readonly caller: Caller
  readonly entrySet: memberships.EntrySet
  /** The change's number in the tenant's history. */
  readonly seq: number
}

/**
 * Puts entries into a project or site.
 * @param exactly whether those go out that are not named, as far as the caller sees them
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
  const present = new Set(await memberships.visibleEntryIds(tx, caller, entrySet, among))
  const wanted = new Set(entryIds)
  const added = [...wanted.difference(present)]
  const removed = exactly ? [...present.difference(wanted)] : []
  await move(tx, change, added, removed)
  const total = await memberships.countVisibleEntries(tx, caller, entrySet)
  return { added: added.length, removed: removed.length, total }
}

/**
 * Takes an entry out of a project or site.
 * @returns whether it was in there; who may not read gets no refusal that says so
 * @throws Fault not_found when the caller sees no such entry in there, or, where they may not read, at all
 */
export async function removeMember(tx: Tx, change: EntrySetChange, entryId: string): Promise<boolean> {
  const { caller, entrySet } = change
  const present = await memberships.visibleEntryIds(tx, caller, entrySet, [entryId])
  if (present.length === 0) {
    const isThere = !isTold(caller) && (await filterVisible(tx, caller, [entryId])).has(entryId)
    if (isThere) return false
    throw notFound(['path', 'entry_id'], 'Entry')
  }
  await move(tx, change, [], [entryId])
  return true
}

/** Takes every entry out that the caller sees in there. @returns how many */
export async function removeVisibleMembers(tx: Tx, change: EntrySetChange): Promise<number> {
  const removed = await memberships.visibleEntryIds(tx, change.caller, change.entrySet)
  await move(tx, change, [], removed)
  return removed.length
}

/** Takes every entry out, whoever sees it, such as when a project ends. */
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
