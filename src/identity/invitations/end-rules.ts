import { type Actor, recordAudit } from '../../platform/audit/audit.ts'
import type { Queries, Tx } from '../../platform/database/database.ts'
import * as store from './store.ts'

/** An invitation that is over stays in the list this long, to be sent again. */
const OVER_MS = 30 * 86_400_000

/** Withdraws all invitations of a tenant, and records each. */
export async function withdrawInvitations(tx: Tx, tenantId: string, actor: Actor): Promise<void> {
  const ids = await store.deleteInvitations(tx, tenantId)
  const events = ids.map((id) => ({ action: 'delete', resourceType: 'invitation', resourceId: id }) as const)
  await recordAudit(tx, tenantId, actor, events)
}

/**
 * Forgets invitations of all working tenants that ended so long ago that they no longer stay in the list.
 * @param now milliseconds since 1970
 */
export function forgetEndedInvitations(tx: Queries, now: number): Promise<void> {
  return store.purgeInvitations(tx, now - OVER_MS)
}
