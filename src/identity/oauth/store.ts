import { sql } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import { findsAny } from '../../platform/database/rows.ts'
import type { OAuthRecordRow } from '../../platform/database/tables.ts'
import type { Realm } from '../tenants/realm.ts'
import { inRealm } from './protocol/realm-store.ts'

// Objects of the OAuth server: grants, codes, tokens, interactions and sessions.

/** Stores an object, or replaces it except for the times of its creation and use. */
export async function putRecord(db: Queries, row: OAuthRecordRow): Promise<void> {
  const { tenant_id: _tenant, kind: _kind, hash: _hash, created_at: _created, consumed_at: _consumed, ...change } = row
  await db
    .insertInto('oauth_records')
    .values(row)
    .onConflict((on) => on.columns(['tenant_id', 'kind', 'hash']).doUpdateSet(change))
    .execute()
}

/** Finds an object of the realm, even an expired one. @returns null when the realm has no such object */
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
    .where(inRealm(realm, 'oauth_records'))
    .executeTakeFirst()
  return row ?? null
}

/** Tells whether one of these objects belongs to a suspended tenant. @param hashes of codes and tokens of any kind */
export async function isOfSuspended(db: Queries, hashes: readonly string[]): Promise<boolean> {
  return findsAny(
    db
      .selectFrom('oauth_records')
      .innerJoin('tenants', 'tenants.tenant_id', 'oauth_records.tenant_id')
      .where('oauth_records.hash', 'in', hashes)
      .where('tenants.suspended_at', 'is not', null),
  )
}

/** Returns the tenants of these objects that have quotas. @param hashes of codes and tokens of any kind */
export async function boundTenantsOf(
  db: Queries,
  hashes: readonly string[],
): Promise<{ tenant_id: string; quotas: string | null }[]> {
  return db
    .selectFrom('oauth_records')
    .innerJoin('tenants', 'tenants.tenant_id', 'oauth_records.tenant_id')
    .select(['tenants.tenant_id', 'tenants.quotas'])
    .distinct()
    .where('oauth_records.hash', 'in', hashes)
    .where('tenants.quotas', 'is not', null)
    .execute()
}

/** Marks an object as used. @returns whether this was its first use */
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
    .where(inRealm(realm, 'oauth_records'))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes one object of the realm. @returns whether the object existed */
export async function deleteRecord(db: Queries, realm: Realm, kind: string, hash: string): Promise<boolean> {
  const records = db.deleteFrom('oauth_records').where('hash', '=', hash).where('kind', '=', kind)
  const { numDeletedRows } = await records.where(inRealm(realm, 'oauth_records')).executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Lists the refresh tokens that replaced the refresh token with this hash. */
export async function listReplacements(
  db: Queries,
  tenantId: string,
  hash: string,
): Promise<Pick<OAuthRecordRow, 'hash' | 'consumed_at'>[]> {
  return replacementsOf(db, tenantId, hash).select(['hash', 'consumed_at']).execute()
}

/**
 * Ends the other replacements of the refresh token that this one replaces, with the access tokens issued with them. The
 * rows of the other replacements stay, marked as used at `endedAt`, so that a later use of one is noticed.
 */
export async function endOtherReplacements(
  db: Queries,
  { tenant_id: tenantId, uid: origin, hash }: Pick<OAuthRecordRow, 'tenant_id' | 'uid' | 'hash'>,
  endedAt: number,
): Promise<void> {
  if (origin === null) return
  await db
    .deleteFrom('oauth_records')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'AccessToken')
    .where('uid', 'in', replacementsOf(db, tenantId, origin).select('hash').where('hash', '!=', hash))
    .execute()
  await db
    .updateTable('oauth_records')
    .set({ consumed_at: endedAt })
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'RefreshToken')
    .where('uid', '=', origin)
    .where('hash', '!=', hash)
    .execute()
}

function replacementsOf(db: Queries, tenantId: string, hash: string) {
  return db
    .selectFrom('oauth_records')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'RefreshToken')
    .where('uid', '=', hash)
}

/** Locks a grant's row, so that changes of its token family happen in turn. @returns whether the grant exists */
export async function lockGrant(db: Queries, tenantId: string, grantId: string): Promise<boolean> {
  // An update without a change locks the row on both databases and sees the last commit.
  const { numUpdatedRows } = await db
    .updateTable('oauth_records')
    .set((eb) => ({ scopes: eb.ref('scopes') }))
    .where('tenant_id', '=', tenantId)
    .where('grant_id', '=', grantId)
    .where('kind', '=', 'Grant')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lets a grant live as long as its youngest token. @returns the grant; null when it does not exist */
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

/** Replaces the scopes of a grant or of a token. */
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

/** Removes one object by its key, in any realm. */
export async function removeRecord(db: Queries, { tenant_id: tenantId, kind, hash }: RecordKey): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .execute()
}

/** Ends the tokens that clients got for themselves while this API key vouched for them. */
export async function deleteTokensOfKey(db: Queries, tenantId: string, keyId: string): Promise<void> {
  await db
    .deleteFrom('oauth_records')
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'ClientCredentials')
    .where('uid', '=', keyId)
    .execute()
}

/** Lists the codes and tokens that came from a grant. */
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
 * Ends a grant with its token family and codes.
 * @returns the tenant of the grant; null when neither the grant nor a token or code of it existed
 */
export async function deleteTokenFamily(db: Queries, realm: Realm, grantId: string): Promise<string | null> {
  const records = () =>
    db.deleteFrom('oauth_records').where('grant_id', '=', grantId).where(inRealm(realm, 'oauth_records'))
  // The grant first: a request that issues a token from it locks its row, so the second statement sees that token.
  const grants = await records().where('kind', '=', 'Grant').returning('tenant_id').execute()
  const rest = await records().returning('tenant_id').execute()
  return [...grants, ...rest].at(0)?.tenant_id ?? null
}

/** Ends a grant like `deleteTokenFamily`, by its tenant instead of a realm. */
export async function deleteGrant(db: Queries, tenantId: string, grantId: string): Promise<void> {
  const records = () => db.deleteFrom('oauth_records').where('tenant_id', '=', tenantId).where('grant_id', '=', grantId)
  await records().where('kind', '=', 'Grant').execute()
  await records().execute()
}

/** A user or a client. */
export type RecordOwner = { readonly userId: string } | { readonly clientId: string }

/** Removes all objects of a user or of a client. @returns the ids of the removed grants */
export async function deleteRecordsOf(db: Queries, tenantId: string, of: RecordOwner): Promise<string[]> {
  const [column, id] = 'userId' in of ? (['user_id', of.userId] as const) : (['client_id', of.clientId] as const)
  const records = () => db.deleteFrom('oauth_records').where('tenant_id', '=', tenantId).where(column, '=', id)
  // The grants first, as in `deleteTokenFamily`.
  const grants = await records().where('kind', '=', 'Grant').returning('grant_id').execute()
  await records().execute()
  return grants.map(({ grant_id: grantId }) => grantId!)
}

/** Lists the grants that are in force at `now` (milliseconds since 1970), newest first. */
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

/** Reads a page of grants in the order of their hashes. */
export async function grantsAfter(
  db: Queries,
  tenantId: string,
  { after, limit }: PageOf<string>,
): Promise<OAuthRecordRow[]> {
  return db
    .selectFrom('oauth_records')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('kind', '=', 'Grant')
    .where('hash', '>', after ?? '')
    .orderBy('hash')
    .limit(limit)
    .execute()
}

/** Finds a grant by its id. @returns null when it is not in force at `now` (milliseconds since 1970) */
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

/** Removes at most `limit` expired objects, so as not to block other writers for long. @returns their number */
export async function deleteExpired(db: Queries, now: number, limit: number): Promise<number> {
  const expired = await db
    .selectFrom('oauth_records')
    .select(['tenant_id', 'kind', 'hash'])
    .where('expires_at', '<', now)
    .limit(limit)
    .execute()
  for (const { tenant_id, kind, hash } of expired) {
    await db
      .deleteFrom('oauth_records')
      .where('tenant_id', '=', tenant_id)
      .where('kind', '=', kind)
      .where('hash', '=', hash)
      .where('expires_at', '<', now)
      .execute()
  }
  return expired.length
}

/** Returns when the session began, in milliseconds since 1970; null when the session is over. */
export async function sessionStart(db: Queries, tenantId: string, sessionId: string): Promise<number | null> {
  const row = await db
    .selectFrom('sessions')
    .select('created_at')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.created_at ?? null
}
