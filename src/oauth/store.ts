import { type SqlBool, sql } from 'kysely'
import type { Queries } from '../database/database.ts'
import type { OAuthClientRow, OAuthRecordRow, TenantRow } from '../database/tables.ts'
import { NO_TENANT, type Realm } from '../tenants/realm.ts'

/** What the realm may see: its tenant's rows; at the shared address those of tenants without a host, and nobody's. */
function inRealm({ tenantId }: Pick<Realm, 'tenantId'>) {
  return tenantId !== null
    ? sql<SqlBool>`tenant_id = ${tenantId}`
    : sql<SqlBool>`(tenant_id = ${NO_TENANT} or tenant_id in (select tenant_id from tenants where host is null))`
}

/** Stores an object, or replaces all of it but when it was made and used. */
export async function putRecord(db: Queries, row: OAuthRecordRow): Promise<void> {
  const { tenant_id: _tenant, kind: _kind, hash: _hash, created_at: _created, consumed_at: _consumed, ...change } = row
  await db
    .insertInto('oauth_records')
    .values(row)
    .onConflict((on) => on.columns(['tenant_id', 'kind', 'hash']).doUpdateSet(change))
    .execute()
}

/** @returns null when the realm has none; one that is over is found until it is removed */
export async function findRecord(
  db: Queries,
  realm: Realm,
  kind: string,
  by: 'hash' | 'uid',
  value: string,
): Promise<OAuthRecordRow | null> {
  const row = await db
    .selectFrom('oauth_records')
    .selectAll()
    .where(by, '=', value)
    .where('kind', '=', kind)
    .where(inRealm(realm))
    .executeTakeFirst()
  return row ?? null
}

/** Marks it used. @returns whether this was the first use, which counts */
export async function consumeRecord(
  db: Queries,
  realm: Realm,
  kind: string,
  hash: string,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_records')
    .set({ consumed_at: at })
    .where('hash', '=', hash)
    .where('kind', '=', kind)
    .where('consumed_at', 'is', null)
    .where(inRealm(realm))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes one object of the realm; it need not be there. */
export async function deleteRecord(db: Queries, realm: Realm, kind: string, hash: string): Promise<void> {
  await db.deleteFrom('oauth_records').where('hash', '=', hash).where('kind', '=', kind).where(inRealm(realm)).execute()
}

/** Whether a refresh token of the grant was used after that time, in milliseconds since 1970. */
export async function wasRenewedSince(db: Queries, tenantId: string, grantId: string, at: number): Promise<boolean> {
  const row = await db
    .selectFrom('oauth_records')
    .select('hash')
    .where('tenant_id', '=', tenantId)
    .where('grant_id', '=', grantId)
    .where('kind', '=', 'RefreshToken')
    .where('consumed_at', '>', at)
    .executeTakeFirst()
  return row !== undefined
}

/** A grant lives as long as the youngest token that came from it. @returns the grant; null when there is none */
export async function extendGrant(
  db: Queries,
  tenantId: string,
  grantId: string,
  expiresAt: number,
): Promise<Pick<OAuthRecordRow, 'payload'> | null> {
  const row = await db
    .updateTable('oauth_records')
    .set({ expires_at: sql`case when expires_at < ${expiresAt} then cast(${expiresAt} as bigint) else expires_at end` })
    .where('tenant_id', '=', tenantId)
    .where('grant_id', '=', grantId)
    .where('kind', '=', 'Grant')
    .returning('payload')
    .executeTakeFirst()
  return row ?? null
}

/** Replaces what a grant, or a token of it, gives. */
export async function rescopeRecord(
  db: Queries,
  { tenant_id: tenantId, kind, hash }: RecordKey,
  change: Pick<OAuthRecordRow, 'payload' | 'scopes'>,
): Promise<void> {
  await db
    .updateTable('oauth_records')
    .set(change)
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .execute()
}

type RecordKey = Pick<OAuthRecordRow, 'tenant_id' | 'kind' | 'hash'>

/** Removes one object, whatever its realm. */
export async function removeRecord(db: Queries, { tenant_id: tenantId, kind, hash }: RecordKey): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .execute()
}

/** Ends what clients were given for themselves because this API key spoke for them. */
export async function deleteTokensOfKey(db: Queries, tenantId: string, keyId: string): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'ClientCredentials')
    .where('uid', '=', keyId)
    .execute()
}

/** Codes and tokens that came from a grant. */
export async function listIssued(db: Queries, tenantId: string, grantId: string): Promise<OAuthRecordRow[]> {
  return db
    .selectFrom('oauth_records')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('grant_id', '=', grantId)
    .where('kind', '!=', 'Grant')
    .execute()
}

/**
 * Ends a grant and all that came from it.
 * @returns the tenant it belonged to; null when there was nothing left of it
 */
export async function deleteFamily(db: Queries, realm: Realm, grantId: string): Promise<string | null> {
  const records = () => db.deleteFrom('oauth_records').where('grant_id', '=', grantId).where(inRealm(realm))
  // The grant first: whoever is issuing a token from it holds its row, and the second statement sees that token.
  const grants = await records().where('kind', '=', 'Grant').returning('tenant_id').execute()
  const rest = await records().returning('tenant_id').execute()
  return [...grants, ...rest].at(0)?.tenant_id ?? null
}

/** The same for one tenant, whatever its realm. */
export async function deleteGrant(db: Queries, tenantId: string, grantId: string): Promise<void> {
  const records = () => db.deleteFrom('oauth_records').where('tenant_id', '=', tenantId).where('grant_id', '=', grantId)
  await records().where('kind', '=', 'Grant').execute()
  await records().execute()
}

/** Grants in force, the newest first. */
export async function listGrants(
  db: Queries,
  tenantId: string,
  of: { readonly userId?: string | null; readonly clientId?: string | null },
  now: number,
): Promise<OAuthRecordRow[]> {
  const { userId = null, clientId = null } = of
  return db
    .selectFrom('oauth_records')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'Grant')
    .where('expires_at', '>', now)
    .$if(userId !== null, (q) => q.where('user_id', '=', userId))
    .$if(clientId !== null, (q) => q.where('client_id', '=', clientId))
    .orderBy('created_at', 'desc')
    .orderBy('hash')
    .execute()
}

/** @returns the grant; null when there is none in force at `now`, in milliseconds since 1970 */
export async function findGrant(
  db: Queries,
  tenantId: string,
  grantId: string,
  now: number,
): Promise<OAuthRecordRow | null> {
  const row = await db
    .selectFrom('oauth_records')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'Grant')
    .where('grant_id', '=', grantId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row ?? null
}

/** What is over; at most `limit` rows, so that no delete holds others up. */
export async function deleteExpired(db: Queries, now: number, limit: number): Promise<number> {
  const over = await db
    .selectFrom('oauth_records')
    .select(['tenant_id', 'kind', 'hash'])
    .where('expires_at', '<', now)
    .limit(limit)
    .execute()
  for (const { tenant_id, kind, hash } of over) {
    await db
      .deleteFrom('oauth_records')
      .where('tenant_id', '=', tenant_id)
      .where('kind', '=', kind)
      .where('hash', '=', hash)
      .where('expires_at', '<', now)
      .execute()
  }
  return over.length
}

/** Stores a client that is new. */
export async function insertClient(db: Queries, row: OAuthClientRow): Promise<void> {
  await db.insertInto('oauth_clients').values(row).execute()
}

/** A client described by a document has a row for the console alone; what it is, its document says each time. */
export async function findClient(db: Queries, realm: Realm, id: string): Promise<OAuthClientRow | null> {
  // PostgreSQL takes no U+0000, which the address of a request to authorize may hold.
  if (id.includes('\0')) return null
  const row = await db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('id', '=', id)
    .where('registration', '!=', 'document')
    .where(inRealm(realm))
    .executeTakeFirst()
  return row ?? null
}

/** @returns whether it is there */
export async function updateClient(
  db: Queries,
  row: Pick<OAuthClientRow, 'tenant_id' | 'id'>,
  change: Pick<OAuthClientRow, 'metadata'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_clients')
    .set(change)
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes a client described by a document, so that it can be shown and revoked. @returns whether it was not there */
export async function noteDocumentClient(db: Queries, row: OAuthClientRow): Promise<boolean> {
  const known = await db
    .updateTable('oauth_clients')
    .set({ metadata: row.metadata })
    .where('tenant_id', '=', row.tenant_id)
    .where('id', '=', row.id)
    .executeTakeFirst()
  if (known.numUpdatedRows > 0n) return false
  const { numInsertedOrUpdatedRows: added } = await db
    .insertInto('oauth_clients')
    .values(row)
    .onConflict((on) => on.columns(['tenant_id', 'id']).doNothing())
    .executeTakeFirst()
  return added !== undefined && added > 0n
}

/** Gives a client that registered itself to a tenant. @returns false when another was first */
export async function claimClient(db: Queries, id: string, tenantId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_clients')
    .set({ tenant_id: tenantId })
    .where('tenant_id', '=', NO_TENANT)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes its use. @returns whether it is there */
export async function touchClient(db: Queries, tenantId: string, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('oauth_clients')
    .set({ last_used_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** All clients of a tenant, the newest first. */
export async function listClients(db: Queries, tenantId: string): Promise<OAuthClientRow[]> {
  return db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Removes a client with its grants and tokens. @returns whether it was there */
export async function deleteClient(db: Queries, tenantId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_clients')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  const records = () => db.deleteFrom('oauth_records').where('tenant_id', '=', tenantId).where('client_id', '=', id)
  await records().where('kind', '=', 'Grant').execute()
  await records().execute()
  return numDeletedRows > 0n
}

/**
 * Removes clients that registered themselves and were not used since `before`, in milliseconds since 1970; at most
 * `limit` of them, so that no delete holds others up. Those with a grant stay.
 * @returns what was removed
 */
export async function deleteUnusedClients(
  db: Queries,
  before: number,
  limit: number,
): Promise<Pick<OAuthClientRow, 'tenant_id' | 'id'>[]> {
  const isUnused = sql<SqlBool>`registration = 'open' and coalesce(last_used_at, created_at) < ${before}
    and not exists (select 1 from oauth_records r
      where r.tenant_id = oauth_clients.tenant_id and r.client_id = oauth_clients.id and r.kind = 'Grant')`
  return (
    db
      .deleteFrom('oauth_clients')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('tenant_id', 'id'),
          'in',
          selectFrom('oauth_clients')
            .select(['tenant_id', 'id'])
            .where(isUnused)
            .limit(limit)
            .$asTuple('tenant_id', 'id'),
        ),
      )
      // Once more, of the row as it is when it goes: somebody may begin to use it at this moment.
      .where(isUnused)
      .returning(['tenant_id', 'id'])
      .execute()
  )
}

/** When somebody signed in, in milliseconds since 1970; null when that session is over. */
export async function sessionStart(db: Queries, tenantId: string, sessionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('sessions')
    .select('created_at')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.created_at ?? null
}

/** How the tenants of a realm let clients register, as stored in their settings. */
export async function registrationSettings(db: Queries, { tenantId }: Realm): Promise<string[]> {
  const rows = await db
    .selectFrom('tenants')
    .select('settings')
    .distinct()
    .where((eb) => (tenantId === null ? eb('host', 'is', null) : eb('tenant_id', '=', tenantId)))
    .execute()
  return rows.map(({ settings }) => settings)
}

/** The same for what a host leads to, found by its spellings with and without port, together with whose it is. */
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
    .where(({ eb, exists, not, selectFrom }) =>
      eb.or([
        eb('host', 'in', hosts),
        eb.and([
          eb('host', 'is', null),
          not(exists(selectFrom('tenants as owners').select('owners.host').where('owners.host', 'in', hosts))),
        ]),
      ]),
    )
    .execute()
}

/** All keys, sealed, the newest first. */
export async function listSigningKeys(db: Queries): Promise<{ id: string; sealed: string; created_at: number }[]> {
  return db
    .selectFrom('oauth_signing_keys')
    .select(['id', 'sealed', 'created_at'])
    .where('tenant_id', '=', NO_TENANT)
    .orderBy('created_at', 'desc')
    .execute()
}

/** Stores a sealed key made at that time, in milliseconds since 1970. */
export async function insertSigningKey(db: Queries, id: string, sealed: string, at: number): Promise<void> {
  await db.insertInto('oauth_signing_keys').values({ tenant_id: NO_TENANT, id, sealed, created_at: at }).execute()
}

/** Removes keys made before that time, in milliseconds since 1970. */
export async function deleteSigningKeys(db: Queries, before: number): Promise<void> {
  await db
    .deleteFrom('oauth_signing_keys')
    .where('tenant_id', '=', NO_TENANT)
    .where('created_at', '<', before)
    .execute()
}
