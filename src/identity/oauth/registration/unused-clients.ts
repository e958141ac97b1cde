import type { Queries } from '../../../platform/database/database.ts'
import { OAUTH_SERVER, recordEvent } from '../protocol/records.ts'
import { deleteUnusedBeyond, deleteUnusedClients } from '../clients/client-store.ts'

/** Most clients of a tenant that registered themselves and that no person let in yet; `*` counts as a tenant. */
export const UNUSED_CLIENTS_MAX = 10_000
/** Most clients that one registration removes. One would keep their number level; ten reduce one above the maximum. */
const REMOVED_AT_ONCE = 10

/**
 * Removes at most `limit` clients that registered themselves, have no grant and were not used since `before`
 * (milliseconds since 1970). Each removal is audited in its tenant.
 * @returns the number of removed clients
 */
export async function removeUnusedClients(tx: Queries, before: number, limit: number): Promise<number> {
  const removed = await deleteUnusedClients(tx, before, limit)
  for (const { tenant_id: tenantId, id } of removed) await recordRemoval(tx, tenantId, id)
  return removed.length
}

/**
 * Removes a tenant's clients beyond `UNUSED_CLIENTS_MAX`, oldest first. It removes only clients that registered
 * themselves and that no person let in.
 */
export async function makeRoomForClients(tx: Queries, tenantId: string): Promise<void> {
  const removed = await deleteUnusedBeyond(tx, tenantId, UNUSED_CLIENTS_MAX, REMOVED_AT_ONCE)
  for (const id of removed) await recordRemoval(tx, tenantId, id)
}

function recordRemoval(tx: Queries, tenantId: string, id: string): Promise<void> {
  return recordEvent(tx, tenantId, OAUTH_SERVER, { action: 'delete', resourceType: 'oauth_client', resourceId: id })
}
