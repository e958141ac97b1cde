import { inChunks } from '../../platform/database/chunks.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { UserRow } from '../../platform/database/tables.ts'

/** Whether the tenant has another active administrator than this user. */
export async function hasOtherAdministrator(db: Queries, tenantId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '!=', userId)
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertUser(db: Queries, row: UserRow): Promise<void> {
  await db.insertInto('users').values(row).execute()
}

export async function findUser(db: Queries, tenantId: string, idOrEmail: string): Promise<UserRow | null> {
  const row = await db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where((eb) => eb.or([eb('id', '=', idOrEmail), eb('email', '=', idOrEmail.toLowerCase())]))
    .executeTakeFirst()
  return row ?? null
}

/**
 * Users sorted by email address.
 * @param page without it all users, for the command line
 */
export async function listUsers(
  db: Queries,
  tenantId: string,
  page?: PageOf<readonly [email: string]>,
): Promise<UserRow[]> {
  let query = db.selectFrom('users').selectAll().where('tenant_id', '=', tenantId).orderBy('email')
  if (page !== undefined) query = query.limit(page.limit)
  if (page?.after) query = query.where('email', '>', page.after[0])
  return query.execute()
}

/** Users of the tenant with these ids, in no particular order. */
export async function findUsers(db: Queries, tenantId: string, ids: readonly string[]): Promise<UserRow[]> {
  const rows: UserRow[] = []
  await inChunks(ids, async (some) => {
    const query = db.selectFrom('users').selectAll().where('tenant_id', '=', tenantId).where('id', 'in', some)
    rows.push(...(await query.execute()))
  })
  return rows
}

export async function updateUser(
  db: Queries,
  tenantId: string,
  id: string,
  change: Partial<Pick<UserRow, 'role' | 'ceiling' | 'name' | 'disabled_at'>>,
): Promise<void> {
  await db.updateTable('users').set(change).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}
