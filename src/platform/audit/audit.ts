import type { Caller } from '../access/caller.ts'
import type { Queries } from '../database/database.ts'
import type { AuditRow } from '../database/tables.ts'
import { newId } from '../ids.ts'
import { insertRecords } from './store.ts'

/** Author of a write: a caller, the operator's command line, or the service itself. */
export type Actor = Pick<Caller, 'userId' | 'audit'> & { readonly credentialId: string | null }

type Action =
  | 'create'
  | 'update'
  | 'delete'
  | 'restore' // from the bin
  | 'purge' // from the bin, for good
  | 'revoke'
  | 'retire'
  | 'sign_in'
  | 'sign_in_refused' // the attempted user is known, the person who tried is not
  | 'sign_out'
  | 'look' // at search as another role or ceiling sees it
  | 'link' // to an account at an outside provider
  | 'accept' // an invitation
  | 'erase' // a person, whose name a pseudonym replaces
  | 'export' // of the audit records
  | 'merge' // of a category into another

export interface AuditEvent {
  readonly action: Action
  readonly resourceType: string
  readonly resourceId: string
  /** Settings before and after, never content and no secret. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** The operator's command line, which has no user. */
export const OPERATOR: Actor = { userId: null, credentialId: null, audit: { source: 'cli', clientId: null } }

/** The service itself, for work that it does when a time has come. */
export const SERVICE: Actor = { userId: null, credentialId: null, audit: { source: 'service', clientId: null } }

/**
 * Writes audit records in the same transaction as the change. A record says who did what to which object, never its
 * content. The record of a change of settings also has the settings before and after.
 */
export async function recordAudit(
  tx: Queries,
  tenantId: string,
  actor: Actor,
  events: readonly AuditEvent[],
): Promise<void> {
  if (events.length === 0) return
  const at = Date.now()
  const rows = events.map(({ action, resourceType, resourceId, details }): AuditRow => ({
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
    details: details === undefined ? null : JSON.stringify(details),
  }))
  await insertRecords(tx, rows)
}
