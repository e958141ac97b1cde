import { type Actor, recordAudit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/database/database.ts'
import type { Portable } from '../../../platform/database/portable.ts'
import { advanceWatermark } from '../../../platform/database/watermark.ts'
import { purge } from '../bin/bin-store.ts'
import { removeEntries } from '../store.ts'
import { deletePrivateVersions, privateNotes } from './erasure-store.ts'

/**
 * Deletes private notes of a user for good, one step at a time: first stored notes, then notes in the bin, then private
 * versions of entries that the user has published since. Call it again until it returns false.
 * @returns whether there may be more to delete
 */
export async function eraseNotes(
  tx: Tx,
  portable: Portable,
  tenantId: string,
  userId: string,
  actor: Actor,
): Promise<boolean> {
  // This locks the tenant for other writes, so the user's last requests cannot change what is being deleted.
  const { seq } = await advanceWatermark(tx, tenantId)
  const notes = await privateNotes(tx, 'entries', tenantId, userId)
  if (notes.length > 0) {
    await removeEntries(tx, portable, tenantId, notes, seq)
    await recordEach(tx, tenantId, actor, 'delete', notes)
    return true
  }
  const binned = await privateNotes(tx, 'binned_entries', tenantId, userId)
  if (binned.length > 0) {
    await recordEach(tx, tenantId, actor, 'purge', await purge(tx, tenantId, binned))
    return true
  }
  for (const table of ['entries', 'binned_entries'] as const) {
    if ((await deletePrivateVersions(tx, table, tenantId, userId)) > 0) return true
  }
  return false
}

function recordEach(tx: Tx, tenantId: string, actor: Actor, action: 'delete' | 'purge', ids: readonly string[]) {
  const events = ids.map((id) => ({ action, resourceType: 'entry', resourceId: id }) as const)
  return recordAudit(tx, tenantId, actor, events)
}
