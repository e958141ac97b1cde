import type { Queries } from '../../platform/database/database.ts'
import type { TenantRow } from '../../platform/database/tables.ts'
import { hostOwners } from './store.ts'

/** The tenant of what belongs to no tenant yet; no tenant can be called so. */
export const NO_TENANT = '*'

/**
 * Where an issuer is and whom it serves: one tenant at its own host, or at the shared address all tenants without
 * one. What one realm issued is unknown in every other.
 */
export interface Realm {
  /** Base address without a slash at the end, as clients know it. */
  readonly issuer: string
  /** The tenant whose host this is; null at the shared address. */
  readonly tenantId: string | null
}

/** The realm a request was sent to. */
export type RealmFor = (request: { readonly host: string }) => Promise<Realm>

/** A host as tenants are given it, with and without its port: lower case, without the dot of the DNS root. */
export function spellingsOf(raw: string): { host: string; hostname: string } {
  const host = raw.toLowerCase().replace(/\.(?=:\d*$|$)/, '')
  return { host, hostname: host.replace(/:\d*$/, '') }
}

type Owner = Pick<TenantRow, 'tenant_id' | 'host'>

/** The realm of the host a request was sent to. */
export async function realmOf(queries: Queries, rawHost: string, publicUrl: string): Promise<Realm> {
  const { host, hostname } = spellingsOf(rawHost)
  return realmOfTenant(ownerAmong(await hostOwners(queries, [host, hostname]), host), publicUrl)
}

const NOBODY = { tenant_id: NO_TENANT, host: null }

/**
 * Whose host it is.
 * @param owners of both spellings; the one with the port goes before the one without
 */
export function ownerAmong(owners: readonly Owner[], host: string): Owner {
  return owners.find((owner) => owner.host === host) ?? owners.at(0) ?? NOBODY
}

/** The realm a tenant is reached in. */
export function realmOfTenant(tenant: Owner, publicUrl: string): Realm {
  return tenant.host === null
    ? { issuer: new URL(publicUrl).origin, tenantId: null }
    : { issuer: `${new URL(publicUrl).protocol}//${tenant.host}`, tenantId: tenant.tenant_id }
}
