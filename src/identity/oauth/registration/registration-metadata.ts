import type { Caller } from '../../../platform/access/caller.ts'
import { intersectScopes, isScope, parseScopes, SCOPES } from '../../../platform/access/scopes.ts'
import type { OAuthClientRow } from '../../../platform/database/tables.ts'
import type { Static } from '../../../platform/contract/schema.ts'
import {
  AUTH_METHODS,
  type ClientMetadata,
  GRANT_TYPES,
  metadataOf,
  PROTOCOL_SCOPES,
  RESPONSE_TYPES,
} from '../clients/client-metadata.ts'
import { demandPlainName } from '../clients/client-name.ts'
import type { ClientRegistration } from '../contract.ts'
import { redirectUriFault } from '../clients/redirect-uri.ts'
import { OAuthRefusal } from '../protocol/refusal.ts'

type Registration = Static<typeof ClientRegistration>
type Bound = Pick<Caller, 'scopes'>

/** Scopes that bound the scopes of a client. */
export interface Limits {
  /** Bound of a client that acts for itself; null when it may not, because no key without an expiry registered it. */
  readonly acting: Bound | null
  /** Bound of a client that acts for people; null when people may grant it any scope. */
  readonly forPeople: Bound | null
}

/**
 * Returns the limits for a change of a registration: never more than the client has now. The API key that registered
 * the client may have had more scopes, but a program with the registration token need not have that key.
 */
export function limitsOf(row: OAuthClientRow): Limits {
  const scopes = new Set(parseScopes(metadataOf(row).scope))
  const acting = { scopes: intersectScopes(parseScopes(row.scopes_max), scopes) }
  return {
    acting: row.scopes_max === '' ? null : acting,
    forPeople: row.registration === 'key' ? { scopes } : null,
  }
}

/**
 * Fills in the defaults of RFC 7591, section 2, and refuses values that this service does not support.
 * @throws OAuthRefusal invalid_redirect_uri or invalid_client_metadata, with the field at fault
 */
export function completed(registration: Registration, { acting, forPeople }: Limits): ClientMetadata {
  demandPlainName(registration.client_name)
  const faults = registration.redirect_uris.map(redirectUriFault)
  const place = faults.findIndex((fault) => fault !== null)
  if (place >= 0) throw new OAuthRefusal(400, 'invalid_redirect_uri', `redirect_uris.${place} ${faults[place]}`)
  const grantTypes = registration.grant_types ?? ['authorization_code']
  const method = registration.token_endpoint_auth_method ?? 'client_secret_basic'
  requireSupported('grant_types', grantTypes, GRANT_TYPES)
  requireSupported('token_endpoint_auth_method', [method], AUTH_METHODS)
  const isForPeople = grantTypes.includes('authorization_code')
  const responseTypes = registration.response_types ?? (isForPeople ? ['code'] : [])
  requireSupported('response_types', responseTypes, RESPONSE_TYPES)
  if (isForPeople !== responseTypes.includes('code')) {
    refuse('response_types must be code with the grant type authorization_code, and empty without')
  }
  if (grantTypes.includes('client_credentials')) {
    if (acting === null)
      refuse('grant_types: only an API key that never expires can register a client for client_credentials')
    if (method === 'none') refuse('token_endpoint_auth_method: client_credentials needs a client secret')
  }
  return {
    client_name: registration.client_name,
    redirect_uris: registration.redirect_uris,
    grant_types: grantTypes,
    response_types: responseTypes,
    token_endpoint_auth_method: method,
    scope: scopeOf(registration.scope ?? '', grantTypes.includes('client_credentials') ? acting : forPeople),
  }
}

function requireSupported(field: string, values: readonly string[], supported: readonly string[]): void {
  if (values.some((value) => !supported.includes(value))) refuse(`${field}: this service has ${supported.join(', ')}`)
}

function refuse(description: string): never {
  throw new OAuthRefusal(400, 'invalid_client_metadata', description)
}

/**
 * Returns the most scopes that a client may be granted, separated by spaces. A person may grant any scope to a client
 * that registers for none. A client that acts for itself never has more scopes than the key that registered it.
 * @param requested the scopes of the registration, separated by spaces
 */
function scopeOf(requested: string, limit: Bound | null): string {
  const isProtocol = (name: string) => (PROTOCOL_SCOPES as readonly string[]).includes(name)
  const names = requested.split(' ').filter((name) => name !== '' && !isProtocol(name))
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined) refuse('scope: names a scope that this service does not know')
  const scopes = names.length === 0 ? SCOPES : names.filter(isScope)
  if (limit === null) return scopes.join(' ')
  const allowed = intersectScopes(scopes, limit.scopes)
  if (allowed.size === 0) refuse('scope: the API key or the registration allows none of these scopes')
  return SCOPES.filter((scope) => allowed.has(scope)).join(' ')
}

/**
 * Refuses a change by which a client would start to act for itself: only a registration with an API key allows that.
 * @throws OAuthRefusal
 */
export function requireActsAsBefore(before: ClientMetadata, after: ClientMetadata): void {
  const [actedForItself, actsForItself] = [before, after].map(({ grant_types: types }) =>
    types.includes('client_credentials'),
  )
  if (actsForItself && !actedForItself)
    refuse('grant_types: client_credentials cannot be added later; register a new client with an API key')
}
