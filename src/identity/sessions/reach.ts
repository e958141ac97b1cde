/** Tenants that a person can sign in to at a host: the owner of the host, or all tenants without a host. */
export interface Reach {
  /** The tenant that owns the host; null for all tenants without a host. */
  readonly tenantId: string | null
  /** The tenant that the request named; null when it named none. */
  readonly named: string | null
}
