import type { Queries } from '../../../platform/database/database.ts'
import { NO_TENANT } from '../../tenants/realm.ts'

// Keys that sign ID tokens; they belong to the installation.

/** Lists all keys, sealed, newest first. */
export async function listSigningKeys(db: Queries): Promise<{ id: string; sealed: string; created_at: number }[]> {
  return db
    .selectFrom('oauth_signing_keys')
    .select(['id', 'sealed', 'created_at'])
    .where('tenant_id', '=', NO_TENANT)
    .orderBy('created_at', 'desc')
    .execute()
}

/** Stores a sealed key. @param at when the key was made, in milliseconds since 1970 */
export async function insertSigningKey(db: Queries, id: string, sealed: string, at: number): Promise<void> {
  await db.insertInto('oauth_signing_keys').values({ tenant_id: NO_TENANT, id, sealed, created_at: at }).execute()
}

/** Removes keys that were made before a time (milliseconds since 1970). */
export async function deleteSigningKeys(db: Queries, before: number): Promise<void> {
  await db
    .deleteFrom('oauth_signing_keys')
    .where('tenant_id', '=', NO_TENANT)
    .where('created_at', '<', before)
    .execute()
}
