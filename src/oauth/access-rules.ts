import type { Caller } from '../access/caller.ts'
import type { Database } from '../database/database.ts'
import type { OAuthClientRow } from '../database/tables.ts'
import { forbidden, notFound } from '../faults.ts'
import { lockUser } from '../sessions/store.ts'
import { listUsers } from '../tenants/store.ts'
import { withoutLowerCeilings } from './authorize-params.ts'
import { metadataOf } from './client-metadata.ts'
import { grantedOf } from './granted.ts'
import { byConnection, endGrant, endGrantsOf, grantsOf } from './grants.ts'
import { recordEvent } from './records.ts'
import * as clientStore from './client-store.ts'
import * as store from './store.ts'

/** What a tenant's people see and end of what was registered and granted. */
export class OAuthAccessRules {
  private readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  async clients({ tenant }: Caller) {
    return (await clientStore.listClients(this.database.queries, tenant.id)).map(clientOf)
  }

  /** Its grants and tokens end with it. @throws Fault not_found */
  async removeClient(caller: Caller, id: string): Promise<void> {
    await this.database.write(async (tx) => {
      if (!(await clientStore.deleteClient(tx, caller.tenant.id, id))) throw notFound(['path', 'client_id'], 'Client')
      await endGrantsOf(tx, caller.tenant.id, { clientId: id }, caller)
      await recordEvent(tx, caller.tenant.id, caller, {
        action: 'delete',
        resourceType: 'oauth_client',
        resourceId: id,
      })
    })
  }

  /**
   * The caller's own grants; an administrator sees those of the whole tenant.
   * @throws Fault forbidden for an assistant or a program that is no administrator
   */
  async grants(caller: Caller) {
    const { queries } = this.database
    const rows = await store.listGrants(queries, caller.tenant.id, { userId: whoseGrants(caller) }, Date.now())
    const names = new Map(
      (await clientStore.listClients(queries, caller.tenant.id)).map((row) => [row.id, nameOf(row)]),
    )
    const people = new Map((await listUsers(queries, caller.tenant.id)).map((user) => [user.id, user]))
    // Somebody who allowed an application more than once sees it once, as it was allowed last.
    return byConnection(rows).map((grants) => {
      const [row] = grants
      const user = people.get(row.user_id ?? '')
      const scopes = new Set(grants.flatMap((grant) => grantedOf(grant).scopes))
      return {
        id: row.grant_id ?? '',
        client_id: row.client_id ?? '',
        client_name: names.get(row.client_id ?? '') ?? row.client_id ?? '',
        user: user === undefined ? null : { id: user.id, email: user.email, name: user.name },
        scopes: withoutLowerCeilings(scopes),
        resource: grantedOf(row).resource,
        created_at: new Date(row.created_at).toISOString(),
        expires_at: new Date(Math.max(...grants.map(({ expires_at: end }) => end ?? 0))).toISOString(),
      }
    })
  }

  /** Every token that came from it is refused with its next request. @throws Fault not_found, forbidden */
  async revokeGrant(caller: Caller, id: string): Promise<void> {
    const owner = whoseGrants(caller)
    const tenantId = caller.tenant.id
    await this.database.write(async (tx) => {
      const named = await store.findGrant(tx, tenantId, id, Date.now())
      if (named === null || (owner !== null && named.user_id !== owner)) throw notFound(['path', 'grant_id'], 'Grant')
      const [userId, clientId] = [named.user_id ?? '', named.client_id ?? '']
      // Or one that is being allowed at this moment would stay.
      await lockUser(tx, tenantId, userId)
      const { resource } = grantedOf(named)
      for (const grant of await grantsOf(tx, tenantId, { userId, clientId, resource })) {
        await endGrant(tx, tenantId, grant.grant_id!, caller)
      }
    }, tenantId)
  }
}

/**
 * Whose grants the caller may see and end; null is everybody's. One's own are for somebody in person: what was given
 * to one assistant is no right over the others.
 */
function whoseGrants({ scopes, credentialKind, userId }: Caller): string | null {
  if (scopes.has('tenant:admin')) return null
  if (credentialKind === 'session' && userId !== null) return userId
  throw forbidden(['header', 'authorization'], 'Scope tenant:admin is needed, or a session', ['tenant:admin'])
}

const nameOf = (row: OAuthClientRow): string => metadataOf(row).client_name

function clientOf(row: OAuthClientRow) {
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
