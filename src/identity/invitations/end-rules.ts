import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** Time that an invitation stays in the list after its link has ended, so that it can be sent again. */
const OVER_MS = 30 * 86_400_000

/** Withdraws all invitations of a tenant, and records each. */
export async function withdrawInvitations(tx: Tx, tenantId: string, actor: Actor): Promise<void> {
  const ids = await store.deleteInvitations(tx, tenantId)
  const events = ids.map((id) => ({ action: 'delete', resourceType: 'invitation', resourceId: id }) as const)
  await recordAudit(tx, tenantId, actor, events)
}

/**
 * Deletes, of all working tenants, the invitations whose link ended so long ago that the list drops them.
 * @param now milliseconds since 1970
 */
export function forgetEndedInvitations(tx: Queries, now: number): Promise<void> {
  return store.purgeInvitations(tx, now - OVER_MS)
}
