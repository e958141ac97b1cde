import { inChunks } from '../../platform/database/chunks.ts'
import type { Queries } from '../../platform/database/database.ts'
import { comesAfter, type PageOf } from '../../platform/database/page.ts'
import type { ApiKeyRow } from '../../platform/database/tables.ts'

export async function insertApiKey(db: Queries, row: ApiKeyRow): Promise<void> {
  await db.insertInto('api_keys').values(row).execute()
}

export async function findApiKey(db: Queries, tenantId: string, id: string): Promise<ApiKeyRow | null> {
  const query = db.selectFrom('api_keys').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.executeTakeFirst()) ?? null
}

/** Returns the API keys with these ids, also revoked ones. Ids that belong to no key are left out. */
export async function findKeys(db: Queries, tenantId: string, ids: readonly string[]): Promise<ApiKeyRow[]> {
  const rows: ApiKeyRow[] = []
  await inChunks(ids, async (some) => {
    const query = db.selectFrom('api_keys').selectAll().where('tenant_id', '=', tenantId).where('id', 'in', some)
    rows.push(...(await query.execute()))
  })
  return rows
}

/**
 * Returns API keys, oldest first.
 * @param page absent for all keys, which the command line lists
 */
export async function listApiKeys(
  db: Queries,
  tenantId: string,
  page?: PageOf<readonly [createdAt: number, id: string]>,
): Promise<ApiKeyRow[]> {
  let query = db
    .selectFrom('api_keys')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .orderBy('created_at')
    .orderBy('id')
  if (page !== undefined) query = query.limit(page.limit)
  if (page?.after) query = query.where(comesAfter(['created_at', 'id'], page.after))
  return query.execute()
}

/** Returns the ids of the keys that the given keys issued. */
export async function keysIssuedBy(db: Queries, tenantId: string, issuerIds: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  await inChunks(issuerIds, async (some) => {
    const rows = await db
      .selectFrom('api_keys')
      .select('id')
      .where('tenant_id', '=', tenantId)
      .where('issuer_kind', '=', 'key')
      .where('issuer_id', 'in', some)
      .execute()
    ids.push(...rows.map(({ id }) => id))
  })
  return ids
}

/** Revokes a key. @param at milliseconds since 1970 @returns false when the key does not exist or was revoked before */
export async function revokeApiKey(db: Queries, tenantId: string, id: string, at: number): Promise<boolean> {
  const result = await db
    .updateTable('api_keys')
    .set({ revoked_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/**
 * Locks a key until the transaction ends, so that the key cannot be revoked meanwhile.
 * @returns whether the key is valid
 */
export async function lockApiKey(db: Queries, tenantId: string, id: string, now: number): Promise<boolean> {
  // An update without a change locks the row on both databases and sees the last commit.
  const row = await db
    .updateTable('api_keys')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(['revoked_at', 'expires_at'])
    .executeTakeFirst()
  return row !== undefined && row.revoked_at === null && (row.expires_at === null || row.expires_at > now)
}

/** Returns the ids of the keys of a user, and of those that the user issued for any user, also of revoked ones. */
export async function keysOfOrBy(db: Queries, tenantId: string, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('issuer_user_id', '=', userId)]))
    .execute()
  return rows.map(({ id }) => id)
}

/** Changes who issued a key. @returns false when the key does not exist or is revoked */
export async function setIssuer(
  db: Queries,
  tenantId: string,
  id: string,
  issuer: Pick<ApiKeyRow, 'issuer_kind' | 'issuer_id' | 'issuer_user_id'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('api_keys')
    .set(issuer)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Changes what a key may do. @param scopes separated by spaces */
export async function setScopes(db: Queries, tenantId: string, id: string, scopes: string): Promise<void> {
  await db.updateTable('api_keys').set({ scopes }).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}

export async function setLastUsed(db: Queries, tenantId: string, id: string, at: number): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at: at })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}

/**
 * Counts keys in force, by tenant, that outlive the key that issued them, by a later expiry or another user. Earlier
 * versions of the service allowed such keys.
 * @param now milliseconds since 1970
 */
export async function outlivingKeys(db: Queries, now: number): Promise<{ tenant_id: string; count: number }[]> {
  return db
    .selectFrom('api_keys as k')
    .innerJoin('api_keys as i', (join) =>
      join.onRef('i.tenant_id', '=', 'k.tenant_id').onRef('i.id', '=', 'k.issuer_id'),
    )
    .where('k.issuer_kind', '=', 'key')
    .where('k.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', now)]))
    .where((eb) =>
      eb.or([
        eb('i.expires_at', 'is not', null).and(
          eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', eb.ref('i.expires_at'))]),
        ),
        eb('i.user_id', 'is not', null).and(
          eb.or([eb('k.user_id', 'is', null), eb('k.user_id', '!=', eb.ref('i.user_id'))]),
        ),
      ]),
    )
    .groupBy('k.tenant_id')
    .orderBy('k.tenant_id')
    .select(['k.tenant_id', (eb) => eb.fn.countAll<number>().as('count')])
    .execute()
}
