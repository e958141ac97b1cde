import type { Queries } from '../../platform/database/database.ts'

export async function insertOrigins(
  db: Queries,
  tenantId: string,
  keyId: string,
  origins: readonly string[],
): Promise<void> {
  const rows = origins.map((origin) => ({ tenant_id: tenantId, key_id: keyId, origin }))
  await db.insertInto('publishable_origins').values(rows).execute()
}

/**
 * Tells whether pages of an origin may use any valid publishable key of a realm.
 * @param tenantId the tenant whose own host was asked; null at the address that the other tenants share
 * @param now milliseconds since 1970
 */
export async function isOriginOfAKey(
  db: Queries,
  tenantId: string | null,
  origin: string,
  now: number,
): Promise<boolean> {
  const keys = db
    .selectFrom('publishable_origins as o')
    .innerJoin('api_keys as k', (join) => join.onRef('k.tenant_id', '=', 'o.tenant_id').onRef('k.id', '=', 'o.key_id'))
    .innerJoin('tenants as t', 't.tenant_id', 'o.tenant_id')
    .where('o.origin', '=', origin)
    .where('k.revoked_at', 'is', null)
    .where((eb) => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', now)]))
    .select('k.id')
    .limit(1)
  const here = tenantId === null ? keys.where('t.host', 'is', null) : keys.where('t.tenant_id', '=', tenantId)
  return (await here.executeTakeFirst()) !== undefined
}
