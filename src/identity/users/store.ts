import { inChunks } from '../../platform/database/chunks.ts'
import type { Queries } from '../../platform/database/database.ts'
import type { PageOf } from '../../platform/database/page.ts'
import type { UserRow } from '../../platform/database/tables.ts'
import { lowerEmail } from './email.ts'

/** Tells whether the tenant has an active administrator without a lower ceiling besides a user. */
export async function hasOtherAdministrator(db: Queries, tenantId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '!=', userId)
    .where('role', '=', 'admin')
    .where((eb) => eb.or([eb('ceiling', 'is', null), eb('ceiling', '=', 'restricted')]))
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
    .where((eb) => eb.or([eb('id', '=', idOrEmail), eb('email', '=', lowerEmail(idOrEmail))]))
    .executeTakeFirst()
  return row ?? null
}

/** Returns all users of a tenant, also erased ones, sorted by email address. */
export async function listUsers(db: Queries, tenantId: string): Promise<UserRow[]> {
  return db.selectFrom('users').selectAll().where('tenant_id', '=', tenantId).orderBy('email').execute()
}

/** Returns users sorted by email address, without erased ones. */
export async function usersAfter(
  db: Queries,
  tenantId: string,
  { after, limit }: PageOf<readonly [email: string]>,
): Promise<UserRow[]> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('tenant_id', '=', tenantId)
    .where('erased_at', 'is', null)
    .$if(after !== null, (query) => query.where('email', '>', after![0]))
    .orderBy('email')
    .limit(limit)
    .execute()
}

/** Returns the users of a tenant with these ids, in no particular order. */
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
  change: Partial<Omit<UserRow, 'tenant_id' | 'id' | 'created_at'>>,
): Promise<void> {
  await db.updateTable('users').set(change).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}
