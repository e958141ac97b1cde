import type { Caller } from '../../../platform/access/caller.ts'
import type { Database, Queries } from '../../../platform/database/database.ts'
import { everyItem, type PageOf, readPage } from '../../../platform/database/page.ts'
import type { OAuthClientRow, OAuthRecordRow } from '../../../platform/database/tables.ts'
import { forbidden, notFound } from '../../../platform/faults.ts'
import { lockUser } from '../../sessions/lock-rules.ts'
import { mapInSlices } from '../../../platform/threads/slices.ts'
import { usersById } from '../../users/rules.ts'
import { withoutLowerCeilings } from '../authorize/authorize-params.ts'
import { metadataOf } from './client-metadata.ts'
import { grantedOf } from '../authorize/granted.ts'
import { byConnection, endGrant, grantsOf } from '../authorize/grants.ts'
import { clientOf, endClient } from './registrant-rules.ts'
import * as clientStore from './client-store.ts'
import * as store from '../store.ts'

/** Lists and ends clients and grants of a tenant. */
export class OAuthAccessRules {
  private readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  /** Returns a page of the clients, newest first. */
  async clients({ tenant }: Caller, page: PageOf<clientStore.ClientPlace>) {
    const { items, next } = await readPage(
      tenant.id,
      page,
      (after, limit) => clientStore.listClients(this.database.queries, tenant.id, { after, limit }),
      ({ created_at: createdAt, id }) => [createdAt, id] as const,
    )
    return { items: await mapInSlices(tenant.id, items, clientOf), next }
  }

  /** Removes a client; its grants and tokens end with it. @throws Fault not_found */
  async removeClient(caller: Caller, id: string): Promise<void> {
    await this.database.write(async (tx) => {
      if (!(await endClient(tx, caller.tenant.id, id, caller))) throw notFound(['path', 'client_id'], 'Client')
    }, caller.tenant.id)
  }

  /**
   * Returns a page of the caller's own grants, or of the whole tenant's for an administrator, newest first.
   * @throws Fault forbidden for an assistant or a program without tenant:admin
   */
  async grants(caller: Caller, { limit, after }: PageOf<GrantPlace>) {
    const { queries } = this.database
    const tenantId = caller.tenant.id
    // Several consents to one application are listed once, under the newest.
    const all = byConnection(await allGrants(queries, tenantId, grantOwner(caller), Date.now()))
    const rest = after === null ? all : all.filter(([row]) => newestFirst(placeOf(row), after) > 0)
    const page = rest.slice(0, limit)
    const clientIds = new Set(page.flatMap(([row]) => row.client_id ?? []))
    const userIds = page.flatMap(([row]) => row.user_id ?? [])
    const clients = await clientStore.findClients(queries, tenantId, [...clientIds])
    const names = new Map(clients.map((row) => [row.id, nameOf(row)]))
    const people = await usersById(queries, tenantId, userIds)
    const items = page.map((grants) => {
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
    const last = page.at(-1)?.[0]
    return { items, next: rest.length > page.length && last !== undefined ? placeOf(last) : null }
  }

  /**
   * Revokes every grant of the connection that a grant belongs to. Its tokens are refused from their next request on.
   * @param id of one of the grants
   * @throws Fault not_found, forbidden
   */
  async revokeGrant(caller: Caller, id: string): Promise<void> {
    const owner = grantOwner(caller)
    const tenantId = caller.tenant.id
    await this.database.write(async (tx) => {
      const grant = await store.findGrant(tx, tenantId, id, Date.now())
      if (grant === null || (owner !== null && grant.user_id !== owner)) throw notFound(['path', 'grant_id'], 'Grant')
      const [userId, clientId] = [grant.user_id ?? '', grant.client_id ?? '']
      // Without the lock, a grant of a consent at the same moment would stay.
      await lockUser(tx, tenantId, userId)
      const { resource } = grantedOf(grant)
      for (const row of await grantsOf(tx, tenantId, { userId, clientId, resource })) {
        await endGrant(tx, tenantId, row.grant_id!, caller)
      }
    }, tenantId)
  }
}

/**
 * Returns the user whose grants the caller may see and end; null for those of the whole tenant. A user's own grants
 * need a session: a token given to one assistant must not control the others.
 * @throws Fault forbidden
 */
function grantOwner({ scopes, credentialKind, userId }: Caller): string | null {
  if (scopes.has('tenant:admin')) return null
  if (credentialKind === 'session' && userId !== null) return userId
  throw forbidden(['header', 'authorization'], 'Scope tenant:admin is needed, or a session', ['tenant:admin'])
}

/** Place of a connection in a list: the place of its newest grant. */
type GrantPlace = readonly [createdAt: number, id: string]

function placeOf({ created_at: createdAt, grant_id: id }: OAuthRecordRow): GrantPlace {
  return [createdAt, id ?? '']
}

function newestFirst([createdAt, id]: GrantPlace, [otherAt, otherId]: GrantPlace): number {
  if (createdAt !== otherAt) return otherAt - createdAt
  return id === otherId ? 0 : id > otherId ? 1 : -1
}

/**
 * Returns every grant that is in force, newest first. It reads all grants, page by page, because only the payload says
 * which grants belong to one connection.
 * @param userId the user whose grants are returned; null for the whole tenant
 */
async function allGrants(db: Queries, tenantId: string, userId: string | null, now: number): Promise<OAuthRecordRow[]> {
  const grants = await everyItem((page: PageOf<string>) =>
    readPage(
      tenantId,
      page,
      (after, limit) => store.grantsAfter(db, tenantId, { after, limit }),
      ({ hash }) => hash,
    ),
  )
  return grants
    .filter((row) => (row.expires_at ?? 0) > now && (userId === null || row.user_id === userId))
    .sort((one, other) => newestFirst(placeOf(one), placeOf(other)))
}

const nameOf = (row: OAuthClientRow): string => metadataOf(row).client_name
