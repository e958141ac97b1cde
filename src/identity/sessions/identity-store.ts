import type { Queries } from '../../platform/database/database.ts'
import type { UserIdentityRow } from '../../platform/database/tables.ts'

/** An account at an outside provider. */
interface Account {
  readonly issuer: string
  readonly subject: string
}

/** Which user of the tenant an account is linked to; null for none. */
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

/** Subjects of this issuer that the user is linked to. */
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

/** Notes when the person of an account was found to have left every group; null when they are in one. */
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
