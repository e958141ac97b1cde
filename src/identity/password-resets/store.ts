import type { Queries } from '../../platform/database/database.ts'
import type { PasswordResetRow } from '../../platform/database/tables.ts'
import { ofWorkingTenant } from '../../platform/database/working-tenants.ts'
import type { Reach } from '../sessions/reach.ts'

/** Stores a user's link for a new password in place of an earlier one. */
export async function putReset(tx: Queries, row: PasswordResetRow): Promise<void> {
  const { tenant_id: _tenant, user_id: _user, ...link } = row
  await tx
    .insertInto('password_resets')
    .values(row)
    .onConflict((c) => c.columns(['tenant_id', 'user_id']).doUpdateSet(link))
    .execute()
}

/** Finds a link for a new password that works at the host of a request. @param now milliseconds since 1970 */
export async function findReset(
  db: Queries,
  { tenantId }: Reach,
  hash: string,
  now: number,
): Promise<PasswordResetRow | null> {
  const row = await db
    .selectFrom('password_resets as r')
    .innerJoin('tenants as t', 't.tenant_id', 'r.tenant_id')
    .selectAll('r')
    .where('r.hash', '=', hash)
    .where('r.expires_at', '>', now)
    .where('t.suspended_at', 'is', null)
    .where((eb) => (tenantId === null ? eb('t.host', 'is', null) : eb('t.tenant_id', '=', tenantId)))
    .executeTakeFirst()
  return row ?? null
}

/** Returns when the link of a user ends, in milliseconds since 1970; null when there is none. */
export async function resetEndsAt(db: Queries, tenantId: string, userId: string): Promise<number | null> {
  const row = await db
    .selectFrom('password_resets')
    .select('expires_at')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.expires_at ?? null
}

/** Deletes a link that is used. @returns whether the link was still there */
export async function takeReset(tx: Queries, { tenant_id, user_id, hash }: PasswordResetRow): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('password_resets')
    .where('tenant_id', '=', tenant_id)
    .where('user_id', '=', user_id)
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the link of a user. */
export async function forgetResets(tx: Queries, tenantId: string, userId: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('tenant_id', '=', tenantId).where('user_id', '=', userId).execute()
}

/** Ends the links of all users of a tenant. */
export async function forgetResetsOf(tx: Queries, tenantId: string): Promise<void> {
  await tx.deleteFrom('password_resets').where('tenant_id', '=', tenantId).execute()
}

/** Deletes links that have ended, except of suspended tenants. */
export async function purgeResets(tx: Queries, now: number): Promise<void> {
  await tx.deleteFrom('password_resets').where('expires_at', '<=', now).where(ofWorkingTenant()).execute()
}
