import { type Scope, SCOPES } from '../../../platform/access/scopes.ts'
import { type Actor, recordAudit } from '../../../platform/audit/audit.ts'
import type { Queries, Tx } from '../../../platform/database/database.ts'
import type { OAuthRecordRow } from '../../../platform/database/tables.ts'
import { grantedOf, isWithin, narrowed, payloadGiving } from './granted.ts'
import * as store from '../store.ts'

/** Use of one resource that one person allowed one client. */
export interface Connection {
  readonly userId: string
  readonly clientId: string
  readonly resource: string
}

/** Returns the grants of one connection that are in force, newest first. Each consent adds one. */
export async function grantsOf(
  db: Queries,
  tenantId: string,
  { userId, clientId, resource }: Connection,
): Promise<OAuthRecordRow[]> {
  const grants = await store.listGrants(db, tenantId, { userId, clientId }, Date.now())
  return grants.filter((grant) => grantedOf(grant).resource === resource)
}

/** Groups grants by connection and keeps their order. */
export function byConnection(grants: readonly OAuthRecordRow[]): OAuthRecordRow[][] {
  const keyOf = (row: OAuthRecordRow) => JSON.stringify([row.user_id, row.client_id, grantedOf(row).resource])
  return [...Map.groupBy(grants, keyOf).values()]
}

/** Ends a grant with every code and token that came from it. */
export async function endGrant(tx: Tx, tenantId: string, id: string, actor: Actor): Promise<void> {
  await store.deleteGrant(tx, tenantId, id)
  await recordAudit(tx, tenantId, actor, [{ action: 'revoke', resourceType: 'oauth_grant', resourceId: id }])
}

/**
 * Narrows the grants of a connection, with every code and token that came from them, to `scopes`. A grant or token that
 * is left without a usable scope ends.
 */
export async function narrowGrants(
  tx: Tx,
  tenantId: string,
  connection: Connection,
  scopes: readonly Scope[],
  actor: Actor,
): Promise<void> {
  for (const grant of await grantsOf(tx, tenantId, connection)) {
    const id = grant.grant_id!
    const before = grantedOf(grant).scopes.join(' ')
    if (isWithin(before, scopes)) continue
    const left = narrowed(before, scopes)
    if (left === null) {
      await endGrant(tx, tenantId, id, actor)
      continue
    }
    // The grant first: a request that issues a token from it locks its row, so the next statement sees that token.
    await store.rescopeRecord(tx, grant, { payload: payloadGiving(grant.payload, left), scopes: grant.scopes })
    await narrowIssued(tx, tenantId, id, scopes)
    await recordAudit(tx, tenantId, actor, [{ action: 'update', resourceType: 'oauth_grant', resourceId: id }])
  }
}

/** Returns the grants of a user in force from which `takeScopeFromGrants` takes a scope, newest first. */
export async function grantsLosing(
  db: Queries,
  tenantId: string,
  userId: string,
  scope: Scope,
): Promise<OAuthRecordRow[]> {
  const grants = await store.listGrants(db, tenantId, { userId }, Date.now())
  return grants.filter((grant) => !isWithin(grantedOf(grant).scopes.join(' '), allBut(scope)))
}

/** Takes a scope from all grants of a user like `narrowGrants`. */
export async function takeScopeFromGrants(
  tx: Tx,
  tenantId: string,
  userId: string,
  scope: Scope,
  actor: Actor,
): Promise<void> {
  for (const [grant] of byConnection(await grantsLosing(tx, tenantId, userId, scope))) {
    const { resource } = grantedOf(grant)
    await narrowGrants(tx, tenantId, { userId, clientId: grant.client_id!, resource }, allBut(scope), actor)
  }
}

const allBut = (scope: Scope): Scope[] => SCOPES.filter((each) => each !== scope)

async function narrowIssued(tx: Tx, tenantId: string, grantId: string, scopes: readonly Scope[]): Promise<void> {
  for (const row of await store.listIssued(tx, tenantId, grantId)) {
    if (isWithin(row.scopes, scopes)) continue
    const scope = narrowed(row.scopes, scopes)
    if (scope === null) {
      await store.removeRecord(tx, row)
      continue
    }
    const payload = JSON.stringify({ ...(JSON.parse(row.payload) as object), scope })
    await store.rescopeRecord(tx, row, { payload, scopes: scope })
  }
}

/** Ends every grant of a user or of a client, with every code and token that came from it. */
export async function endGrantsOf(tx: Tx, tenantId: string, of: store.RecordOwner, actor: Actor): Promise<void> {
  const grantIds = await store.deleteRecordsOf(tx, tenantId, of)
  const events = grantIds.map((id) => ({ action: 'revoke', resourceType: 'oauth_grant', resourceId: id }) as const)
  await recordAudit(tx, tenantId, actor, events)
}
