import type { Caller } from '../access/caller.ts'
import type { Queries } from '../database/database.ts'
import type { AuditRow } from '../database/tables.ts'
import { newId } from '../ids.ts'

/** Who is answerable for a write: a caller, or the command line acting for the operator. */
export type Actor = Pick<Caller, 'userId' | 'audit'> & { readonly credentialId: string | null }

type Action =
  | 'create'
  | 'update'
  | 'delete'
  | 'revoke'
  | 'retire'
  | 'sign_in'
  | 'sign_in_refused' // of a user who is known; who tried is not
  | 'sign_out'
  | 'link' // to an account at an outside provider

export interface AuditEvent {
  readonly action: Action
  readonly resourceType: string
  readonly resourceId: string
}

/** The operator's command line; it writes as nobody's user. */
export const OPERATOR: Actor = { userId: null, credentialId: null, audit: { source: 'cli', clientId: null } }

/** A statement takes so many values only, of which a row has twelve. */
const ROWS_A_TIME = 1_000

/** Records writes in the transaction that makes them. No content is recorded, only who did what to which. */
export async function recordAudit(
  tx: Queries,
  tenantId: string,
  actor: Actor,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return
  const at = Date.now()
  const rows = events.map(({ action, resourceType, resourceId }): AuditRow => ({
    tenant_id: tenantId,
    id: newId(),
    at,
    action,
    resource_type: resourceType,
    resource_id: resourceId,
    user_id: actor.userId,
    credential_id: actor.credentialId,
    source: actor.audit.source,
    client_id: actor.audit.clientId,
    claimed_source: actor.audit.claimed?.source ?? null,
    claimed_client_id: actor.audit.claimed?.clientId ?? null,
  }))
  for (let i = 0; i < rows.length; i += ROWS_A_TIME) {
    await tx
      .insertInto('audit_log')
      .values(rows.slice(i, i + ROWS_A_TIME))
      .execute()
  }
}
