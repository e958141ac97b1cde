import type { Queries } from '../../platform/database/database.ts'
import { NO_TENANT } from '../tenants/realm.ts'

/**
 * Notes that a logout token was used.
 * @param expiresAt milliseconds since 1970 from which on the token is refused
 * @returns whether the token was not used before
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

/** Deletes the notes of tokens that are refused by now. */
export async function purgeTokens(db: Queries, now: number): Promise<void> {
  await db.deleteFrom('used_logout_tokens').where('expires_at', '<=', now).execute()
}
