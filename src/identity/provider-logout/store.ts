import type { Queries } from '../../platform/database/database.ts'
import { NO_TENANT } from '../tenants/realm.ts'

/**
 * Notes that a logout token was used.
 * @param expiresAt from when on it is no longer good, in milliseconds since 1970
 * @returns whether it was used for the first time
 */
export async function useToken(db: Queries, hash: string, expiresAt: number): Promise<boolean> {
  const row = await db
    .insertInto('used_logout_tokens')
    .values({ tenant_id: NO_TENANT, hash, expires_at: expiresAt })
    .onConflict((c) => c.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}

/** Forgets tokens that are no longer good. */
export async function purgeTokens(db: Queries, now: number): Promise<void> {
  await db.deleteFrom('used_logout_tokens').where('expires_at', '<=', now).execute()
}
