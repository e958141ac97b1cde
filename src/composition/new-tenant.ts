import { addTenant, lockTenants, type NewTenant } from '../identity/tenants/rules.ts'
import { DEFAULT_SETTINGS } from '../identity/tenants/settings.ts'
import { type Actor, OPERATOR } from '../platform/audit/audit.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { addDefaultSite } from '../shop/sites/rules.ts'

/** @throws Fault when the id is malformed or taken, or the host belongs to another tenant */
export async function createTenant(database: Database, tenant: NewTenant, actor: Actor = OPERATOR): Promise<void> {
  await database.write(async (tx) => {
    await lockTenants(tx, database.portable.name)
    await addTenantWithSite(tx, tenant, actor)
  })
}

/** `createTenant` within a transaction that holds the lock on tenants. Every tenant begins with a default site. */
export async function addTenantWithSite(tx: Tx, tenant: NewTenant, actor: Actor): Promise<void> {
  await addTenant(tx, tenant, actor)
  await addDefaultSite(tx, { id: tenant.id, language: DEFAULT_SETTINGS.language }, actor)
}
