import type { Caller } from '../../../platform/access/caller.ts'
import { recordAudit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { pageOf } from '../../../platform/database/page.ts'
import type { Portable } from '../../../platform/database/portable.ts'
import { threadSlices } from '../../../platform/threads/slices.ts'
import * as store from '../store.ts'
import { copyToBin } from './bin-store.ts'

/** Most entries and bytes of their text that are moved at a time. */
const STEP = { entries: 50, bytes: 1_024 * 1_024 }
const DAY_MS = 86_400_000

/**
 * Deletes entries: moves them to the bin, or deletes them for good in a tenant without one.
 * @param ids ids of entries that exist, at most 500
 * @param seq number of the change in the tenant's history
 */
export async function discard(
  tx: Tx,
  portable: Portable,
  caller: Caller,
  ids: readonly string[],
  seq: number,
): Promise<void> {
  const { id: tenantId, settings } = caller.tenant
  const deletedAt = Date.now()
  const deletion = { deletedAt, purgeAt: deletedAt + settings.binDays * DAY_MS, userId: caller.userId }
  const bytes = await store.entryBytes(tx, tenantId, ids)
  let left = ids.map((id) => ({ id, bytes: bytes.get(id) ?? 0 }))
  while (left.length > 0) {
    const step = pageOf(left, STEP.entries, STEP.bytes).map(({ id }) => id)
    left = left.slice(step.length)
    if (settings.binDays > 0) await copyToBin(tx, await store.findEntries(tx, tenantId, step), deletion)
    await store.removeEntries(tx, portable, tenantId, step, seq)
    const waiting = threadSlices.pauseHolding()
    if (waiting !== undefined) await waiting
  }
  const events = ids.map((id) => ({ action: 'delete', resourceType: 'entry', resourceId: id }) as const)
  await recordAudit(tx, tenantId, caller, events)
}
