import type { Queries } from '../database/database.ts'
import { hostOwner } from '../tenants/store.ts'

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

/** The realm of the host a request was sent to. */
export async function realmOf(queries: Queries, rawHost: string, publicUrl: string): Promise<Realm> {
  const host = rawHost.toLowerCase().replace(/\.(?=:\d*$|$)/, '')
  const hostname = host.replace(/:\d*$/, '')
  for (const spelling of new Set([host, hostname])) {
    const tenantId = await hostOwner(queries, spelling)
    if (tenantId !== null) return { issuer: `${new URL(publicUrl).protocol}//${spelling}`, tenantId }
  }
  return { issuer: new URL(publicUrl).origin, tenantId: null }
}

/** The realm a tenant is reached in. */
export function realmOfTenant(tenant: { readonly tenant_id: string; readonly host: string | null }, publicUrl: string) {
  return tenant.host === null
    ? { issuer: new URL(publicUrl).origin, tenantId: null }
    : { issuer: `${new URL(publicUrl).protocol}//${tenant.host}`, tenantId: tenant.tenant_id }
}

/** The resources tokens are for (RFC 8707): the MCP endpoint, or the whole service. Both are this one server. */
export function resourcesOf({ issuer }: Realm): readonly string[] {
  return [`${issuer}/mcp`, issuer]
}

/** The resource that an indicator names, whether it ends in a slash or not; null when it is none of this realm's. */
export function resourceNamed(realm: Realm, indicator: string): string | null {
  const plain = indicator.replace(/\/$/, '')
  return resourcesOf(realm).find((resource) => sameAddress(resource, plain)) ?? null
}

/** Addresses that differ only in how scheme and host are written are the same (RFC 3986, section 6.2.2.1). */
function sameAddress(one: string, other: string): boolean {
  return one === other || (URL.canParse(other) && new URL(one).href === new URL(other).href && !/[?#]/.test(other))
}
