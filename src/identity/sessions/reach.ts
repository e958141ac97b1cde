/** The tenants that a person can sign in to at a host: the owner of the host, or all tenants without a host. */
export interface Reach {
  readonly tenantId: string | null
  /** The tenant that the request named; null when it named none. */
  readonly named: string | null
}
