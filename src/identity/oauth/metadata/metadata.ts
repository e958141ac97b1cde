import { SCOPES } from '../../../platform/access/scopes.ts'
import type { Realm } from '../../tenants/realm.ts'
import { AUTH_METHODS, GRANT_TYPES, RESPONSE_TYPES } from '../clients/client-metadata.ts'
import { REGISTER, ROUTES } from '../paths.ts'
import type { RegistrationModes } from '../registration/registration-mode.ts'

/**
 * Returns the server's metadata (RFC 8414, section 2), which also announces the issuer in responses (RFC 9207), and
 * whether client id metadata documents are taken.
 */
export function serverMetadata({ issuer }: Realm, { isOffered, mayRegisterThemselves }: RegistrationModes) {
  return {
    issuer,
    authorization_endpoint: issuer + ROUTES.authorization,
    token_endpoint: issuer + ROUTES.token,
    ...(isOffered ? { registration_endpoint: issuer + REGISTER } : {}),
    revocation_endpoint: issuer + ROUTES.revocation,
    introspection_endpoint: issuer + ROUTES.introspection,
    jwks_uri: issuer + ROUTES.jwks,
    scopes_supported: [...SCOPES, 'openid'],
    response_types_supported: [...RESPONSE_TYPES],
    response_modes_supported: ['query', 'fragment'],
    grant_types_supported: [...GRANT_TYPES],
    token_endpoint_auth_methods_supported: [...AUTH_METHODS],
    revocation_endpoint_auth_methods_supported: [...AUTH_METHODS],
    introspection_endpoint_auth_methods_supported: AUTH_METHODS.filter((method) => method !== 'none'),
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: mayRegisterThemselves,
  }
}

/** Returns the metadata of OpenID Connect Discovery 1.0, section 3, for clients that read this document first. */
export function openIdMetadata(realm: Realm, modes: RegistrationModes) {
  return {
    ...serverMetadata(realm, modes),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time'],
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  }
}

/** Returns metadata (RFC 9728, section 2) that names the issuer of tokens for the MCP endpoint or the whole service. */
export function resourceMetadata({ issuer }: Realm, resource: string) {
  return {
    resource,
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    scopes_supported: [...SCOPES],
    resource_name: 'Knowledge Service',
    resource_documentation: `${issuer}/docs`,
  }
}
