import type { Queries } from '../../platform/database/database.ts'
import { type Page, type PageOf, readPage } from '../../platform/database/page.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { NO_TENANT } from './realm.ts'
import * as store from './store.ts'

/** Tells whether the service has a tenant. The first start creates one, and no request can be answered without one. */
export function hasTenants(db: Queries): Promise<boolean> {
  return store.hasTenants(db)
}

/** Returns all tenants by id, also those that are suspended or being removed. */
export function everyTenant(db: Queries): Promise<TenantRow[]> {
  return store.listTenants(db)
}

/** Returns the tenants that are not suspended, by id. Work in the background passes over suspended ones. */
export async function workingTenants(db: Queries): Promise<TenantRow[]> {
  return (await store.listTenants(db)).filter((tenant) => tenant.suspended_at === null)
}

/** Returns the ids of the suspended tenants, whose indexes may leave the memory. */
export function suspendedTenants(db: Queries): Promise<string[]> {
  return store.suspendedTenants(db)
}

/** Counts the tenants that work and those that are suspended. */
export function countTenants(db: Queries): Promise<{ active: number; suspended: number }> {
  return store.countTenants(db)
}

/** Returns a page of the tenants that match a filter, by id. */
export function pageOfTenants(
  db: Queries,
  filter: store.TenantFilter,
  page: PageOf<readonly [id: string]>,
): Promise<Page<TenantRow, readonly [id: string]>> {
  return readPage(
    NO_TENANT,
    page,
    (after, limit) => store.listTenantPage(db, filter, after?.[0] ?? null, limit),
    ({ tenant_id: id }) => [id] as const,
  )
}

/** Returns the tenant with an operator's own name (`reference`); null when there is none. */
export function tenantOfReference(db: Queries, reference: string): Promise<TenantRow | null> {
  return store.findTenantByReference(db, reference)
}
