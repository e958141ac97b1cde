import { type Actor, type AuditEvent, recordAudit } from '../../../platform/audit/audit.ts'
import type { Queries } from '../../../platform/database/database.ts'
import { NO_TENANT } from '../../tenants/realm.ts'

/**
 * The OAuth server itself, where no caller and no client answers for a write: somebody registers without a credential,
 * a stolen token gives itself away, or a client that nobody used is removed.
 */
export const OAUTH_SERVER: Actor = { userId: null, credentialId: null, audit: { source: 'oauth', clientId: null } }

/** A client that acts in its own name. */
export function clientItself(id: string): Actor {
  return { userId: null, credentialId: id, audit: { source: 'oauth', clientId: id } }
}

/** Audits a write. What belongs to no tenant yet is audited when a tenant gets it. */
export async function recordEvent(tx: Queries, tenantId: string, actor: Actor, event: AuditEvent): Promise<void> {
  if (tenantId !== NO_TENANT) await recordAudit(tx, tenantId, actor, [event])
}
