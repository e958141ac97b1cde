import type { Queries } from '../../platform/database/database.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { hostOwners } from './store.ts'

/** Tenant id of rows that belong to no tenant yet. No tenant can have this id. */
export const NO_TENANT = '*'

/**
 * An issuer's address and the tenants it serves: one tenant at its own host, or all tenants without a host at the
 * shared address. A token of one realm is unknown in every other.
 */
export interface Realm {
  /** Base address without a slash at the end, as clients know it. */
  readonly issuer: string
  /** The tenant that owns the host; null at the shared address. */
  readonly tenantId: string | null
  /** Whether the tenant of the host is suspended. */
  readonly isSuspended?: boolean
}

/** Finds the realm of the host of a request. */
export type RealmFor = (request: { readonly host: string }) => Promise<Realm>

/** Returns a host with and without its port, in lower case and without the dot of the DNS root. */
export function spellingsOf(raw: string): { host: string; hostname: string } {
  const host = raw.toLowerCase().replace(/\.(?=:\d*$|$)/, '')
  return { host, hostname: host.replace(/:\d*$/, '') }
}

type Owner = Pick<TenantRow, 'tenant_id' | 'host'> & Partial<Pick<TenantRow, 'suspended_at'>>

/** Returns the realm of the host of a request. @param rawHost as the Host header names it */
export async function realmOf(queries: Queries, rawHost: string, publicUrl: string): Promise<Realm> {
  const { host, hostname } = spellingsOf(rawHost)
  return realmOfTenant(ownerAmong(await hostOwners(queries, [host, hostname]), host), publicUrl)
}

/** Owner of a host that belongs to no tenant. */
const NO_OWNER: Owner = { tenant_id: NO_TENANT, host: null }

/**
 * Returns the tenant that owns a host; NO_TENANT when there is none.
 * @param owners of the host with and without its port; the one with the port comes first
 */
export function ownerAmong(owners: readonly Owner[], host: string): Owner {
  return owners.find((owner) => owner.host === host) ?? owners.at(0) ?? NO_OWNER
}

/** Returns the realm in which clients reach a tenant. */
export function realmOfTenant(tenant: Owner, publicUrl: string): Realm {
  const suspension = (tenant.suspended_at ?? null) === null ? {} : { isSuspended: true }
  return tenant.host === null
    ? { issuer: new URL(publicUrl).origin, tenantId: null }
    : { issuer: `${new URL(publicUrl).protocol}//${tenant.host}`, tenantId: tenant.tenant_id, ...suspension }
}
