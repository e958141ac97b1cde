import { sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import type { TenantRow } from '../../platform/database/tables.ts'

type StoredSettings = Pick<TenantRow, 'tenant_id' | 'name' | 'host' | 'settings' | 'embedding_model'> & {
  readonly settings_version: number
}

export async function findTenant(db: Queries, tenantId: string): Promise<TenantRow | null> {
  return (await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()) ?? null
}

/** A tenant's settings as stored, and the number of their present state; null without the tenant. */
export async function findSettings(db: Queries, tenantId: string): Promise<StoredSettings | null> {
  const row = await db
    .selectFrom('tenants')
    .select(['tenant_id', 'name', 'host', 'settings', 'embedding_model', 'settings_version'])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row ?? null
}

export async function listTenants(db: Queries): Promise<TenantRow[]> {
  return db.selectFrom('tenants').selectAll().orderBy('tenant_id').execute()
}

export async function hasTenants(db: Queries): Promise<boolean> {
  return (await db.selectFrom('tenants').select('tenant_id').limit(1).executeTakeFirst()) !== undefined
}

export async function hostOwner(db: Queries, host: string): Promise<string | null> {
  const row = await db.selectFrom('tenants').select('tenant_id').where('host', '=', host).executeTakeFirst()
  return row?.tenant_id ?? null
}

/** Tenants that own one of these hosts. */
export async function hostOwners(
  db: Queries,
  hosts: readonly string[],
): Promise<{ tenant_id: string; host: string | null }[]> {
  return db.selectFrom('tenants').select(['tenant_id', 'host']).where('host', 'in', hosts).execute()
}

export async function insertTenant(db: Queries, row: TenantRow): Promise<void> {
  await db.insertInto('tenants').values(row).execute()
}

/** Changes a tenant. Each change has a number, by which administrators name the state that they have seen. */
export async function updateTenant(
  db: Queries,
  tenantId: string,
  change: Partial<Pick<TenantRow, 'name' | 'host' | 'settings'>>,
): Promise<void> {
  await db
    .updateTable('tenants')
    .set((eb) => ({ ...change, settings_version: eb('settings_version', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Serialises changes to the list of tenants: no unique key can ensure that a host belongs to one tenant only. */
export async function lockTenants(db: Queries, dialect: Database['portable']['name']): Promise<void> {
  if (dialect === 'postgres') await sql`lock table tenants in share row exclusive mode`.execute(db)
}

/** Locks a tenant until the transaction ends, so that changes of its administrators happen in turn. */
export async function lockTenant(db: Queries, tenantId: string): Promise<void> {
  // An update without a change locks the row on both databases.
  await db
    .updateTable('tenants')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('tenant_id', '=', tenantId)
    .execute()
}
