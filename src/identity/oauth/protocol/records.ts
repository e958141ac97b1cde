import { type Actor, type AuditEvent, recordAudit } from '../../../platform/audit/audit.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { NO_TENANT } from '../../tenants/realm.ts'

/**
 * The OAuth server as the actor of writes without a caller or client: an open registration, the end of a token family
 * after a token was used twice, the removal of an unused client.
 */
export const OAUTH_SERVER: Actor = { userId: null, credentialId: null, audit: { source: 'oauth', clientId: null } }

/** Returns a client as the actor, in its own name. */
export function clientItself(id: string): Actor {
  return { userId: null, credentialId: id, audit: { source: 'oauth', clientId: id } }
}

/** Audits a write. An object without a tenant is audited later, when a tenant gets it. */
export async function recordEvent(tx: Queries, tenantId: string, actor: Actor, event: AuditEvent): Promise<void> {
  if (tenantId !== NO_TENANT) await recordAudit(tx, tenantId, actor, [event])
}
