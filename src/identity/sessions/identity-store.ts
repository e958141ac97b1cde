import type { Queries } from '../../platform/database/database.ts'
import type { UserIdentityRow } from '../../platform/database/tables.ts'

/** An account at an outside provider. */
interface Account {
  readonly issuer: string
  readonly subject: string
}

/** Finds the link between an account and a user of the tenant; null for an account without one. */
export async function findIdentity(
  db: Queries,
  tenantId: string,
  { issuer, subject }: Account,
): Promise<UserIdentityRow | null> {
  const row = await db
    .selectFrom('user_identities')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row ?? null
}

/** Lists the subjects of an issuer that the user is linked to. */
export async function subjectsOf(db: Queries, tenantId: string, userId: string, issuer: string): Promise<string[]> {
  const rows = await db
    .selectFrom('user_identities')
    .select('subject')
    .where('tenant_id', '=', tenantId)
    .where('user_id', '=', userId)
    .where('issuer', '=', issuer)
    .execute()
  return rows.map(({ subject }) => subject)
}

/** Links a user to an account at an outside provider. */
export async function insertIdentity(db: Queries, row: UserIdentityRow): Promise<void> {
  await db.insertInto('user_identities').values(row).execute()
}

/**
 * Notes when the service learned that the person of an account has left every group.
 * @param leftAt milliseconds since 1970; null for a person in a group
 */
export async function markIdentity(
  db: Queries,
  tenantId: string,
  { issuer, subject }: Account,
  leftAt: number | null,
): Promise<void> {
  await db
    .updateTable('user_identities')
    .set({ left_at: leftAt })
    .where('tenant_id', '=', tenantId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}
