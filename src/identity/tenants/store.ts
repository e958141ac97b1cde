import { sql } from 'kysely'
import type { Database, Queries } from '../../platform/database/database.ts'
import { findsAny } from '../../platform/database/rows.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import type { TenantState } from './tenant-state.ts'

/** Settings of a tenant, and their version, which grows by one with each change. */
type SettingsRow = Pick<TenantRow, 'tenant_id' | 'name' | 'host' | 'reference' | 'settings' | 'embedding_model'> & {
  readonly settings_version: number
}

export async function findTenant(db: Queries, tenantId: string): Promise<TenantRow | null> {
  return (await db.selectFrom('tenants').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()) ?? null
}

/** Returns the settings of a tenant; null when there is no such tenant. */
export async function findSettings(db: Queries, tenantId: string): Promise<SettingsRow | null> {
  const row = await db
    .selectFrom('tenants')
    .select(['tenant_id', 'name', 'host', 'reference', 'settings', 'embedding_model', 'settings_version'])
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

/** Returns the tenants that own one of these hosts. */
export async function hostOwners(
  db: Queries,
  hosts: readonly string[],
): Promise<{ tenant_id: string; host: string | null; suspended_at: number | null }[]> {
  return db.selectFrom('tenants').select(['tenant_id', 'host', 'suspended_at']).where('host', 'in', hosts).execute()
}

export async function insertTenant(db: Queries, row: TenantRow): Promise<void> {
  await db.insertInto('tenants').values(row).execute()
}

/** Changes a tenant. Each change raises the version of the settings, by which If-Match names the state that it read. */
export async function updateTenant(
  db: Queries,
  tenantId: string,
  change: Partial<Omit<TenantRow, 'tenant_id' | 'embedding_model' | 'watermark' | 'created_at'>>,
): Promise<void> {
  await db
    .updateTable('tenants')
    .set((eb) => ({ ...change, settings_version: eb('settings_version', '+', 1) }))
    .where('tenant_id', '=', tenantId)
    .execute()
}

/** Finds the tenant with an operator's own name. */
export async function findTenantByReference(db: Queries, reference: string): Promise<TenantRow | null> {
  return (await db.selectFrom('tenants').selectAll().where('reference', '=', reference).executeTakeFirst()) ?? null
}

/** Tells whether a tenant with this id was removed. */
export async function wasRemoved(db: Queries, tenantId: string): Promise<boolean> {
  return findsAny(db.selectFrom('removed_tenants').where('tenant_id', '=', tenantId))
}

/** Filter of a list of tenants; an absent field leaves none out. */
export interface TenantFilter {
  readonly state?: TenantState
  readonly host?: string
  readonly reference?: string
  /** Part of the id or the name, in any case. */
  readonly text?: string
}

/** Returns the tenants that match a filter, by id. */
export async function listTenantPage(
  db: Queries,
  { state, host, reference, text }: TenantFilter,
  after: string | null,
  limit: number,
): Promise<TenantRow[]> {
  let query = db.selectFrom('tenants').selectAll().orderBy('tenant_id').limit(limit)
  if (after !== null) query = query.where('tenant_id', '>', after)
  if (host !== undefined) query = query.where('host', '=', host)
  if (reference !== undefined) query = query.where('reference', '=', reference)
  if (text !== undefined) {
    const pattern = `%${text.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    query = query.where(sql<boolean>`lower(tenant_id || ' ' || name) like ${pattern} escape '\\'`)
  }
  if (state !== undefined) {
    query = query
      .where('suspended_at', state === 'active' ? 'is' : 'is not', null)
      .$if(state !== 'active', (some) => some.where('remove_at', state === 'suspended' ? 'is' : 'is not', null))
      .$if(state === 'removal_planned', (some) => some.where('removing_at', 'is', null))
      .$if(state === 'removing', (some) => some.where('removing_at', 'is not', null))
  }
  return query.execute()
}

/** Returns the ids of the suspended tenants. */
export async function suspendedTenants(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('tenants').select('tenant_id').where('suspended_at', 'is not', null).execute()
  return rows.map((row) => row.tenant_id)
}

/** Counts the tenants that work and those that are suspended. */
export async function countTenants(db: Queries): Promise<{ active: number; suspended: number }> {
  const { all, suspended } = await db
    .selectFrom('tenants')
    .select((eb) => [eb.fn.countAll<number>().as('all'), eb.fn.count<number>('suspended_at').as('suspended')])
    .executeTakeFirstOrThrow()
  return { active: all - suspended, suspended }
}

/** Tells whether there is another tenant whose removal is not planned. */
export async function hasStayingTenant(db: Queries, tenantId: string): Promise<boolean> {
  return findsAny(db.selectFrom('tenants').where('tenant_id', '!=', tenantId).where('remove_at', 'is', null))
}

/** Locks the list of tenants. SQLite needs no lock, since its writes happen one after the other. */
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
