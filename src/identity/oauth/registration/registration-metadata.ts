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

/** Scopes that a client's own must not exceed. */
export interface Limits {
  /** For a client that acts for itself; null when it may not, because no key without an expiry registered it. */
  readonly acting: Bound | null
  /** For a client that acts for people; null when they may grant it anything. */
  readonly forPeople: Bound | null
}

/**
 * Limits for a change of a registration: never more than the client has now. The key may have had more scopes, but
 * whoever holds the registration token need not have had the key.
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
 * @param limits scopes that the client's own must not exceed
 * @throws OAuthRefusal
 */
export function completed(registration: Registration, { acting, forPeople }: Limits): ClientMetadata {
  demandPlainName(registration.client_name)
  const faulty = registration.redirect_uris
    .map((uri) => [uri, redirectUriFault(uri)] as const)
    .find(([, f]) => f !== null)
  if (faulty !== undefined) {
    throw new OAuthRefusal(
      400,
      'invalid_redirect_uri',
      `redirect_uris.${registration.redirect_uris.indexOf(faulty[0])} ${faulty[1]}`,
    )
  }
  const grantTypes = registration.grant_types ?? ['authorization_code']
  const method = registration.token_endpoint_auth_method ?? 'client_secret_basic'
  requireKnown('grant_types', grantTypes, GRANT_TYPES)
  requireKnown('token_endpoint_auth_method', [method], AUTH_METHODS)
  const isForPeople = grantTypes.includes('authorization_code')
  const responseTypes = registration.response_types ?? (isForPeople ? ['code'] : [])
  requireKnown('response_types', responseTypes, RESPONSE_TYPES)
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

function requireKnown(field: string, values: readonly string[], known: readonly string[]): void {
  if (values.some((value) => !known.includes(value))) refuse(`${field}: this service has ${known.join(', ')}`)
}

function refuse(description: string): never {
  throw new OAuthRefusal(400, 'invalid_client_metadata', description)
}

/**
 * The scopes a client may be granted at most. A client that names none may be granted any by a person. A client that
 * acts for itself never has more than the key that registered it.
 */
function scopeOf(asked: string, limit: Bound | null): string {
  const names = asked.split(' ').filter((name) => name !== '' && !(PROTOCOL_SCOPES as readonly string[]).includes(name))
  const unknown = names.find((name) => !isScope(name))
  if (unknown !== undefined) refuse('scope: names a scope that this service does not know')
  const wanted = names.length === 0 ? SCOPES : names.filter(isScope)
  if (limit === null) return wanted.join(' ')
  const allowed = intersectScopes(wanted, limit.scopes)
  if (allowed.size === 0) refuse('scope: the API key or the registration allows none of these scopes')
  return SCOPES.filter((scope) => allowed.has(scope)).join(' ')
}

/**
 * A client cannot start to act for itself by a change: only a registration with an API key allows that.
 * @throws OAuthRefusal
 */
export function requireActsAsBefore(before: ClientMetadata, after: ClientMetadata): void {
  const [did, does] = [before, after].map(({ grant_types: types }) => types.includes('client_credentials'))
  if (does && !did)
    refuse('grant_types: client_credentials cannot be added later; register a new client with an API key')
}
