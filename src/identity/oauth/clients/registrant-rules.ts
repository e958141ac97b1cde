import { intersectScopes, parseScopes, type Scope } from '../../../platform/access/scopes.ts'
import type { Actor } from '../../../platform/audit/audit.ts'
import type { Queries, Tx } from '../../../platform/database/database.ts'
import type { OAuthClientRow } from '../../../platform/database/tables.ts'
import { endGrantsOf, grantsLosing } from '../authorize/grants.ts'
import { recordEvent } from '../protocol/records.ts'
import { metadataOf } from './client-metadata.ts'
import * as clientStore from './client-store.ts'

/** Returns the clients that a user or one of these keys registered, oldest first. */
export function clientsRegisteredBy(
  db: Queries,
  tenantId: string,
  by: { readonly userId: string; readonly keyIds: readonly string[] },
): Promise<OAuthClientRow[]> {
  return clientStore.clientsRegisteredBy(db, tenantId, by)
}

/** Returns the clients from whose grants `takeScopeFromGrants` takes a scope, the last that the user let in first. */
export async function clientsLosing(
  db: Queries,
  tenantId: string,
  userId: string,
  scope: Scope,
): Promise<OAuthClientRow[]> {
  const grants = await grantsLosing(db, tenantId, userId, scope)
  const ids = [...new Set(grants.flatMap(({ client_id: id }) => id ?? []))]
  const clients = await clientStore.findClients(db, tenantId, ids)
  return clients.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}

/** Returns the scopes that a client may use without a person who lets it in; none for one that acts for people alone. */
export function scopesActedWith(row: OAuthClientRow): ReadonlySet<Scope> {
  const { grant_types: types, scope } = metadataOf(row)
  if (!types.includes('client_credentials')) return new Set()
  return intersectScopes(parseScopes(row.scopes_max), parseScopes(scope))
}

/** Removes a client with its grants and tokens, and records it. @returns false when the client does not exist */
export async function endClient(tx: Tx, tenantId: string, id: string, actor: Actor): Promise<boolean> {
  if (!(await clientStore.deleteClient(tx, tenantId, id))) return false
  await endGrantsOf(tx, tenantId, { clientId: id }, actor)
  await recordEvent(tx, tenantId, actor, { action: 'delete', resourceType: 'oauth_client', resourceId: id })
  return true
}

/**
 * Ends the registration token of a client, which goes on as it is, and records that.
 * @returns false when the client has no such token
 */
export async function endRegistrationToken(
  tx: Tx,
  { tenant_id: tenantId, id, management_hash: hash }: OAuthClientRow,
  actor: Actor,
): Promise<boolean> {
  if (hash === null) return false
  if (!(await clientStore.updateClient(tx, { tenant_id: tenantId, id }, { management_hash: null }))) return false
  const details = { changes: { registration_token: { before: true, after: false } } }
  await recordEvent(tx, tenantId, actor, { action: 'update', resourceType: 'oauth_client', resourceId: id, details })
  return true
}

/**
 * Makes another user the one who registered a client and answers for it from now on. The caller records the change.
 * @returns false when the client does not exist
 */
export function handOverClient(tx: Tx, tenantId: string, id: string, userId: string): Promise<boolean> {
  return clientStore.updateClient(tx, { tenant_id: tenantId, id }, { user_id: userId, key_id: null })
}

/** Returns a client as the API answers it. */
export function clientOf(row: OAuthClientRow) {
  const { client_name, redirect_uris, grant_types, scope, token_endpoint_auth_method } = metadataOf(row)
  return {
    client_id: row.id,
    client_name,
    redirect_uris: [...redirect_uris],
    grant_types: [...grant_types],
    scope,
    token_endpoint_auth_method,
    registration: row.registration,
    created_at: new Date(row.created_at).toISOString(),
    last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }
}
