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

/** The scopes that a grant gives. Each grant is for one resource. */
export interface Granted {
  readonly resource: string
  readonly scopes: readonly string[]
}

/** Reads resource and scopes from a stored grant. */
export function grantedOf({ payload }: Pick<OAuthRecordRow, 'payload'>): Granted {
  const { resources = {} } = JSON.parse(payload) as GrantPayload
  const [resource, scope] = Object.entries(resources).at(0) ?? ['', '']
  return { resource, scopes: scope.split(' ').filter((name) => name !== '') }
}

interface GrantPayload {
  readonly resources?: Readonly<Record<string, string>>
  /** Scopes that the person was asked for and refused; the server subtracts them from the granted ones. */
  readonly rejected?: { readonly resources?: Readonly<Record<string, string>> }
}

/** The payload of the grant with these scopes instead; its resource stays. */
export function payloadGiving(payload: string, scope: string): string {
  const { resource } = grantedOf({ payload })
  const grant = JSON.parse(payload) as GrantPayload
  const given = scope.split(' ')
  const refused = (grant.rejected?.resources?.[resource] ?? '').split(' ').filter((name) => !given.includes(name))
  const rejected = { ...grant.rejected, resources: { [resource]: refused.join(' ') } }
  return JSON.stringify({ ...grant, resources: { [resource]: scope }, rejected })
}

/**
 * Narrows stored scopes to those that `within` allows. Scopes of the protocol itself stay.
 * @returns null when no usable scope is left; a ceiling alone is not usable
 */
export function narrowed(stored: string, within: Iterable<Scope>): string | null {
  const own = stored.split(' ').filter((name) => (PROTOCOL_SCOPES as readonly string[]).includes(name))
  const allowed = intersectScopes(parseScopes(stored), within)
  const left = withoutLowerCeilings(SCOPES.filter((scope) => allowed.has(scope)))
  return left.every((scope) => CEILINGS.some((ceiling) => ceiling === scope)) ? null : [...own, ...left].join(' ')
}

/** Whether `others` include all of the stored scopes. */
export function isWithin(stored: string, others: readonly string[]): boolean {
  const allowed = withLowerCeilings(others.filter(isScope))
  return parseScopes(stored).every((scope) => allowed.has(scope))
}
