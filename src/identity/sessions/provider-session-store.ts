import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Queries } from '../../platform/database/database.ts'
import type { SessionRow } from '../../platform/database/tables.ts'
import type { ProviderEnd } from './provider-end.ts'
import { lockUser } from './store.ts'

/**
 * Locks the users of all tenants whose sign-ins the provider ends, always in the same order, until the transaction is
 * over. A sign-in that waits for a second factor has then become a session already, or never will.
 */
export async function lockUsersFrom(db: Queries, end: ProviderEnd): Promise<void> {
  const rows = await db
    .selectFrom('sessions')
    .select(['tenant_id', 'user_id'])
    .where(cameFrom(end))
    .union(db.selectFrom('sign_in_steps').select(['tenant_id', 'user_id']).where(cameFrom(end)))
    .orderBy('tenant_id')
    .orderBy('user_id')
    .execute()
  for (const { tenant_id: tenantId, user_id: userId } of rows) await lockUser(db, tenantId, userId)
}

/**
 * Ends the sign-ins that the provider ends, in every tenant: their sessions, and those that wait for a second factor.
 * @returns the sessions that had not expired
 */
export async function deleteSessionsFrom(
  db: Queries,
  end: ProviderEnd,
  now: number,
): Promise<Pick<SessionRow, 'tenant_id' | 'id' | 'user_id'>[]> {
  await db.deleteFrom('sign_in_steps').where(cameFrom(end)).execute()
  return db
    .deleteFrom('sessions')
    .where(cameFrom(end))
    .where('expires_at', '>', now)
    .returning(['tenant_id', 'id', 'user_id'])
    .execute()
}

/** Returns the condition for rows of the ended sign-ins, in `sessions` or `sign_in_steps`. */
function cameFrom({ issuer, subject, sid }: ProviderEnd): RawBuilder<SqlBool> {
  const ofAccount = sql<SqlBool>`provider_issuer = ${issuer} and provider_subject = ${subject}`
  if (sid === null) return ofAccount
  if (subject === null) return sql<SqlBool>`provider_issuer = ${issuer} and provider_sid = ${sid}`
  // A session of the account whose ID token named no session may be the one that ended.
  return sql<SqlBool>`${ofAccount} and (provider_sid = ${sid} or provider_sid is null)`
}
