import type { Queries } from '../../../platform/database/database.ts'
import { OAUTH_SERVER, recordEvent } from '../protocol/records.ts'
import { deleteUnusedBeyond, deleteUnusedClients } from '../clients/client-store.ts'

/** How many clients that registered themselves, and that nobody let in yet, a tenant has; `*` is one of them. */
export const UNUSED_CLIENTS_MAX = 10_000
/** One makes room for one; a few more where there are too many all at once. */
const REMOVED_AT_ONCE = 10

/**
 * Removes at most `limit` clients that registered themselves, have no grant and were not used since `before`, in
 * milliseconds since 1970. Each is audited in its tenant.
 * @returns how many were removed
 */
export async function removeUnusedClients(tx: Queries, before: number, limit: number): Promise<number> {
  const removed = await deleteUnusedClients(tx, before, limit)
  for (const { tenant_id: tenantId, id } of removed) await recordRemoval(tx, tenantId, id)
  return removed.length
}

/** Keeps the tenant's clients within their number that registered themselves and nobody let in: the oldest go. */
export async function makeRoomForClients(tx: Queries, tenantId: string): Promise<void> {
  const removed = await deleteUnusedBeyond(tx, tenantId, UNUSED_CLIENTS_MAX, REMOVED_AT_ONCE)
  for (const id of removed) await recordRemoval(tx, tenantId, id)
}

function recordRemoval(tx: Queries, tenantId: string, id: string): Promise<void> {
  return recordEvent(tx, tenantId, OAUTH_SERVER, { action: 'delete', resourceType: 'oauth_client', resourceId: id })
}
