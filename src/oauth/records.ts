import { type Actor, type AuditEvent, recordAudit } from '../audit/audit.ts'
import type { Queries } from '../database/database.ts'
import { NO_TENANT } from '../tenants/realm.ts'

/** Audits a write. What belongs to no tenant yet is audited when a tenant gets it. */
export async function recordEvent(tx: Queries, tenantId: string, actor: Actor, event: AuditEvent): Promise<void> {
  if (tenantId !== NO_TENANT) await recordAudit(tx, tenantId, actor, [event])
}
