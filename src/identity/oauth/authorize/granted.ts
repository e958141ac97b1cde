import {
  CEILINGS,
  intersectScopes,
  isScope,
  parseScopes,
  type Scope,
  SCOPES,
  withLowerCeilings,
} from '../../../platform/access/scopes.ts'
import type { OAuthRecordRow } from '../../../platform/database/tables.ts'
import { withoutLowerCeilings } from './authorize-params.ts'
import { PROTOCOL_SCOPES } from '../clients/client-metadata.ts'

/** Scopes that a grant gives for its one resource. */
export interface GrantedAccess {
  readonly resource: string
  readonly scopes: readonly string[]
}

/** Reads resource and scopes from a stored grant. */
export function grantedOf({ payload }: Pick<OAuthRecordRow, 'payload'>): GrantedAccess {
  const { resources = {} } = JSON.parse(payload) as GrantPayload
  const [resource, scope] = Object.entries(resources).at(0) ?? ['', '']
  return { resource, scopes: scope.split(' ').filter((name) => name !== '') }
}

interface GrantPayload {
  readonly resources?: Readonly<Record<string, string>>
  /** Scopes that the client asked for and the person refused; the server subtracts them from the granted ones. */
  readonly rejected?: { readonly resources?: Readonly<Record<string, string>> }
}

/**
 * Returns the payload of a grant with its scopes replaced; its resource stays. The new scopes no longer count as
 * refused.
 * @param scope the new scopes, separated by spaces
 */
export function payloadGiving(payload: string, scope: string): string {
  const { resource } = grantedOf({ payload })
  const grant = JSON.parse(payload) as GrantPayload
  const scopes = scope.split(' ')
  const refused = (grant.rejected?.resources?.[resource] ?? '').split(' ').filter((name) => !scopes.includes(name))
  const rejected = { ...grant.rejected, resources: { [resource]: refused.join(' ') } }
  return JSON.stringify({ ...grant, resources: { [resource]: scope }, rejected })
}

/**
 * Narrows stored scopes to those that `within` allows. Scopes of the protocol itself stay.
 * @returns the scopes, separated by spaces; null when no usable scope is left. A ceiling alone is not usable
 */
export function narrowed(stored: string, within: Iterable<Scope>): string | null {
  const protocolScopes = stored.split(' ').filter((name) => (PROTOCOL_SCOPES as readonly string[]).includes(name))
  const allowed = intersectScopes(parseScopes(stored), within)
  const rest = withoutLowerCeilings(SCOPES.filter((scope) => allowed.has(scope)))
  const isCeilingAlone = rest.every((scope) => CEILINGS.some((ceiling) => ceiling === scope))
  return isCeilingAlone ? null : [...protocolScopes, ...rest].join(' ')
}

/** Tells whether `others` include all of the stored scopes. */
export function isWithin(stored: string, others: readonly string[]): boolean {
  const allowed = withLowerCeilings(others.filter(isScope))
  return parseScopes(stored).every((scope) => allowed.has(scope))
}
