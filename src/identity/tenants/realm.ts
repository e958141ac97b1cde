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
  /** The tenant whose host this is; null at the shared address. */
  readonly tenantId: string | null
  /** Whether that tenant is suspended. */
  readonly isSuspended?: boolean
}

/** The realm a request was sent to. */
export type RealmFor = (request: { readonly host: string }) => Promise<Realm>

/** A host with and without its port, in lower case and without the dot of the DNS root. */
export function spellingsOf(raw: string): { host: string; hostname: string } {
  const host = raw.toLowerCase().replace(/\.(?=:\d*$|$)/, '')
  return { host, hostname: host.replace(/:\d*$/, '') }
}

type Owner = Pick<TenantRow, 'tenant_id' | 'host'> & Partial<Pick<TenantRow, 'suspended_at'>>

/** The realm of the host a request was sent to. */
export async function realmOf(queries: Queries, rawHost: string, publicUrl: string): Promise<Realm> {
  const { host, hostname } = spellingsOf(rawHost)
  return realmOfTenant(ownerAmong(await hostOwners(queries, [host, hostname]), host), publicUrl)
}

const NOBODY: Owner = { tenant_id: NO_TENANT, host: null }

/**
 * The tenant that owns a host; NO_TENANT when none does.
 * @param owners of both spellings; the spelling with the port goes first
 */
export function ownerAmong(owners: readonly Owner[], host: string): Owner {
  return owners.find((owner) => owner.host === host) ?? owners.at(0) ?? NOBODY
}

/** The realm a tenant is reached in. */
export function realmOfTenant(tenant: Owner, publicUrl: string): Realm {
  const suspension = (tenant.suspended_at ?? null) === null ? {} : { isSuspended: true }
  return tenant.host === null
    ? { issuer: new URL(publicUrl).origin, tenantId: null }
    : { issuer: `${new URL(publicUrl).protocol}//${tenant.host}`, tenantId: tenant.tenant_id, ...suspension }
}
