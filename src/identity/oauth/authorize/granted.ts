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

/** What a grant gives; each is for one resource. */
export interface Granted {
  readonly resource: string
  readonly scopes: readonly string[]
}

/** What a stored grant gives. */
export function grantedOf({ payload }: Pick<OAuthRecordRow, 'payload'>): Granted {
  const { resources = {} } = JSON.parse(payload) as GrantPayload
  const [resource, scope] = Object.entries(resources).at(0) ?? ['', '']
  return { resource, scopes: scope.split(' ').filter((name) => name !== '') }
}

interface GrantPayload {
  readonly resources?: Readonly<Record<string, string>>
  /** What the person was asked for and did not give; the server takes it from what they gave. */
  readonly rejected?: { readonly resources?: Readonly<Record<string, string>> }
}

/** The payload of a grant that gives these scopes, for the resource it was given for. */
export function payloadGiving(payload: string, scope: string): string {
  const { resource } = grantedOf({ payload })
  const grant = JSON.parse(payload) as GrantPayload
  const given = scope.split(' ')
  const refused = (grant.rejected?.resources?.[resource] ?? '').split(' ').filter((name) => !given.includes(name))
  const rejected = { ...grant.rejected, resources: { [resource]: refused.join(' ') } }
  return JSON.stringify({ ...grant, resources: { [resource]: scope }, rejected })
}

/**
 * What is left of stored scopes within others. Those of the protocol itself stay.
 * @returns null when nothing is left that anything can be done with; a ceiling alone is nothing
 */
export function narrowed(stored: string, within: Iterable<Scope>): string | null {
  const own = stored.split(' ').filter((name) => (PROTOCOL_SCOPES as readonly string[]).includes(name))
  const allowed = intersectScopes(parseScopes(stored), within)
  const left = withoutLowerCeilings(SCOPES.filter((scope) => allowed.has(scope)))
  return left.every((scope) => CEILINGS.some((ceiling) => ceiling === scope)) ? null : [...own, ...left].join(' ')
}

/** Whether others give all of these scopes. */
export function isWithin(stored: string, others: readonly string[]): boolean {
  const allowed = withLowerCeilings(others.filter(isScope))
  return parseScopes(stored).every((scope) => allowed.has(scope))
}
