import { type SqlBool, sql } from 'kysely'
import { inChunks } from '../../../platform/database/chunks.ts'
import type { Queries } from '../../../platform/database/database.ts'
import type { PageOf } from '../../../platform/database/page.ts'
import type { OAuthClientRow, TenantRow } from '../../../platform/database/tables.ts'
import { NO_TENANT, type Realm } from '../../tenants/realm.ts'
import { ofWorkingTenant } from '../../../platform/database/working-tenants.ts'
import { findsAny } from '../../../platform/database/rows.ts'
import { inRealm } from '../protocol/realm-store.ts'

// Clients, and how they may register.

/** Stores a new client. */
export async function insertClient(db: Queries, row: OAuthClientRow): Promise<void> {
  await db.insertInto('oauth_clients').values(row).execute()
}

/** Finds a registered client, but no client described by a document: the row of such a client is for the console. */
export async function findClient(db: Queries, realm: Realm, id: string): Promise<OAuthClientRow | null> {
  // PostgreSQL refuses U+0000, which a request to authorize may contain.
  if (id.includes('\0')) return null
  const row = await db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('registration', '!=', 'document')
    .where(inRealm(realm, 'oauth_clients'))
    .executeTakeFirst()
  return row ?? null
}

/** Tells whether one of these clients belongs to a suspended tenant. */
export async function isOfSuspended(db: Queries, realm: Realm, ids: readonly string[]): Promise<boolean> {
  const clients = db
    .selectFrom('oauth_clients')
    .where('id', 'in', ids)
    .where(inRealm(realm, 'oauth_clients'))
    .where('registration', '!=', 'document')
    .where('tenant_id', 'in', (eb) =>
      eb.selectFrom('tenants').select('tenants.tenant_id').where('suspended_at', 'is not', null),
    )
  return findsAny(clients)
}

/**
 * Tells whether a person of the realm has let in a client described by a document.
 * @param id the address of the document, which is the client's id
 */
export async function isNotedDocument(db: Queries, realm: Realm, id: string): Promise<boolean> {
  if (id.includes('\0')) return false
  const row = await db
    .selectFrom('oauth_clients')
    .select('id')
    .where('id', '=', id)
    .where('registration', '=', 'document')
    .where(inRealm(realm, 'oauth_clients'))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Changes a client.
 * @param managementHash hash of the registration token by which the change is made; undefined for any other change
 * @returns false when the client does not exist, or no longer has that token
 */
export async function updateClient(
  db: Queries,
  row: Pick<OAuthClientRow, 'tenant_id' | 'id'>,
  change: Partial<Pick<OAuthClientRow, 'metadata' | 'management_hash' | 'last_used_at' | 'user_id' | 'key_id'>>,
  managementHash?: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_clients')
    .set(change)
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .$if(managementHash !== undefined, (query) => query.where('management_hash', '=', managementHash!))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Stores a client described by a document, so that it can be shown and revoked. @returns whether it is new */
export async function noteDocumentClient(db: Queries, row: OAuthClientRow): Promise<boolean> {
  if (await updateClient(db, row, { metadata: row.metadata })) return false
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto('oauth_clients')
    .values(row)
    .onConflict((on) => on.columns(['tenant_id', 'id']).doNothing())
    .executeTakeFirst()
  return added !== undefined && added > 0n
}

/** Gives a client that registered itself to a tenant. @returns false when another tenant was first */
export async function claimClient(db: Queries, id: string, tenantId: string): Promise<boolean> {
  // A new row rather than another tenant for the old one: a row never leaves the node of its tenant.
  const row = await db
    .deleteFrom('oauth_clients')
    .where('tenant_id', '=', NO_TENANT)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (row === undefined) return false
  await insertClient(db, { ...row, tenant_id: tenantId })
  return true
}

/** Records that the client was used. @returns whether the client exists */
export async function touchClient(db: Queries, tenantId: string, id: string, at: number): Promise<boolean> {
  return updateClient(db, { tenant_id: tenantId, id }, { last_used_at: at })
}

/**
 * Reads a page of a tenant's clients, newest first. Clients that registered themselves are listed once a person has
 * consented: otherwise any program could make the list endless.
 */
export async function listClients(
  db: Queries,
  tenantId: string,
  { after, limit }: PageOf<ClientPlace>,
): Promise<OAuthClientRow[]> {
  let query = db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('registration', '!=', 'open'), eb('last_used_at', 'is not', null)]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
  if (after !== null) {
    const [createdAt, id] = after
    query = query
      .where('created_at', '<=', createdAt)
      .where((eb) => eb.or([eb('created_at', '<', createdAt), eb('id', '>', id)]))
  }
  return query.execute()
}

/** Place of a client in a list. */
export type ClientPlace = readonly [createdAt: number, id: string]

/** Finds the tenant's clients with these ids, in no particular order. */
export async function findClients(db: Queries, tenantId: string, ids: readonly string[]): Promise<OAuthClientRow[]> {
  const rows: OAuthClientRow[] = []
  await inChunks(ids, async (some) => {
    const query = db.selectFrom('oauth_clients').selectAll().where('tenant_id', '=', tenantId).where('id', 'in', some)
    rows.push(...(await query.execute()))
  })
  return rows
}

/** Finds the clients that a user or one of these keys registered, oldest first. */
export async function clientsRegisteredBy(
  db: Queries,
  tenantId: string,
  { userId, keyIds }: { readonly userId: string; readonly keyIds: readonly string[] },
): Promise<OAuthClientRow[]> {
  const rows = new Map<string, OAuthClientRow>()
  const ofTenant = () => db.selectFrom('oauth_clients').selectAll().where('tenant_id', '=', tenantId)
  const keep = (found: readonly OAuthClientRow[]) => found.forEach((row) => rows.set(row.id, row))
  keep(await ofTenant().where('user_id', '=', userId).execute())
  await inChunks(keyIds, async (some) => keep(await ofTenant().where('key_id', 'in', some).execute()))
  return [...rows.values()].sort((a, b) => a.created_at - b.created_at)
}

/**
 * Removes a client; the caller ends its grants.
 * @param managementHash as in `updateClient`
 * @returns false when the client does not exist, or no longer has that token
 */
export async function deleteClient(
  db: Queries,
  tenantId: string,
  id: string,
  managementHash?: string | null,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_clients')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .$if(managementHash !== undefined, (query) => query.where('management_hash', '=', managementHash!))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/**
 * Removes clients that registered themselves, have no grant, and were not used since `before` (milliseconds since
 * 1970). It removes at most `limit` clients, so that the statement does not block other writers for long.
 * @returns the keys of the removed clients
 */
export async function deleteUnusedClients(
  db: Queries,
  before: number,
  limit: number,
): Promise<Pick<OAuthClientRow, 'tenant_id' | 'id'>[]> {
  const isUnused = sql<SqlBool>`registration = 'open' and coalesce(last_used_at, created_at) < ${before}
    and ${ofWorkingTenant('oauth_clients.tenant_id')}
    and not exists (select 1 from oauth_records r
      where r.tenant_id = oauth_clients.tenant_id and r.client_id = oauth_clients.id and r.kind = 'Grant')`
  return (
    db
      .deleteFrom('oauth_clients')
      .where((eb) =>
        eb(
          eb.refTuple('tenant_id', 'id'),
          'in',
          eb
            .selectFrom('oauth_clients')
            .select(['tenant_id', 'id'])
            .where(isUnused)
            .limit(limit)
            .$asTuple('tenant_id', 'id'),
        ),
      )
      // Checked again on the row that is deleted: a person may begin to use the client at this moment.
      .where(isUnused)
      .returning(['tenant_id', 'id'])
      .execute()
  )
}

/**
 * Removes clients of a tenant that registered themselves and were never used, oldest first.
 * @param max number of such clients that stay, the newest ones
 * @param limit most clients to remove
 * @returns the ids of the removed clients
 */
export async function deleteUnusedBeyond(db: Queries, tenantId: string, max: number, limit: number): Promise<string[]> {
  const unused = () =>
    db
      .selectFrom('oauth_clients')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('registration', '=', 'open')
      .where('last_used_at', 'is', null)
  // Ids sort by time of creation.
  const newestBeyond = await unused().orderBy('id', 'desc').offset(max).limit(1).executeTakeFirst()
  if (newestBeyond === undefined) return []
  const oldest = await unused().where('id', '<=', newestBeyond.id).orderBy('id').limit(limit).execute()
  const removed = await db
    .deleteFrom('oauth_clients')
    .where('tenant_id', '=', tenantId)
    .where(
      'id',
      'in',
      oldest.map(({ id }) => id),
    )
    // Checked again on the row that is deleted: a person may let the client in at this moment.
    .where('last_used_at', 'is', null)
    .returning('id')
    .execute()
  return removed.map(({ id }) => id)
}

/** Reads the distinct settings of the realm's tenants, as stored; the settings say how clients may register. */
export async function registrationSettings(db: Queries, { tenantId }: Realm): Promise<string[]> {
  const rows = await db
    .selectFrom('tenants')
    .select('settings')
    .distinct()
    .where((eb) => (tenantId === null ? eb('host', 'is', null) : eb('tenant_id', '=', tenantId)))
    .execute()
  return rows.map(({ settings }) => settings)
}

/**
 * Reads the settings like `registrationSettings`, by the host of a request, together with the tenant of each row.
 * @param hosts spellings of the host, with and without its port
 */
export async function registrationSettingsAt(
  db: Queries,
  hosts: readonly string[],
): Promise<Pick<TenantRow, 'tenant_id' | 'host' | 'settings'>[]> {
  return db
    .selectFrom('tenants')
    .select([
      'host',
      'settings',
      sql<string>`case when host is null then ${NO_TENANT} else tenant_id end`.as('tenant_id'),
    ])
    .distinct()
    .where((eb) =>
      eb.or([
        eb('host', 'in', hosts),
        eb.and([
          eb('host', 'is', null),
          eb.not(eb.exists(eb.selectFrom('tenants as owners').select('owners.host').where('owners.host', 'in', hosts))),
        ]),
      ]),
    )
    .execute()
}
