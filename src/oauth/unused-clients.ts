import type { Queries } from '../database/database.ts'
import { OAUTH_SERVER, recordEvent } from './records.ts'
import { deleteUnusedClients } from './client-store.ts'

/**
 * Removes at most `limit` clients that registered themselves, have no grant and were not used since `before`, in
 * milliseconds since 1970. Each is audited in its tenant.
 * @returns how many were removed
 */
export async function removeUnusedClients(tx: Queries, before: number, limit: number): Promise<number> {
  const removed = await deleteUnusedClients(tx, before, limit)
  for (const { tenant_id: tenantId, id } of removed) {
    await recordEvent(tx, tenantId, OAUTH_SERVER, { action: 'delete', resourceType: 'oauth_client', resourceId: id })
  }
  return removed.length
}
