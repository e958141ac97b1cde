import type { AdapterPayload } from 'oidc-provider'
import { parseScopes, type Scope, SCOPES, withLowerCeilings } from '../../../platform/access/scopes.ts'
import type { OAuthClientRow } from '../../../platform/database/tables.ts'

export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const
export const RESPONSE_TYPES = ['code'] as const
export const AUTH_METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const

/** Scopes of the OAuth protocol itself; all others are scopes of the service. */
export const PROTOCOL_SCOPES = ['openid', 'offline_access'] as const

/** Metadata that a client registered (RFC 7591, section 2), with defaults filled in. */
export interface ClientMetadata {
  readonly client_name: string
  readonly redirect_uris: readonly string[]
  readonly grant_types: readonly string[]
  readonly response_types: readonly string[]
  readonly token_endpoint_auth_method: string
  readonly scope: string
}

/** Metadata that this service gives the OAuth server in addition to the client's registration. */
export const EXTRA_METADATA = ['tenant_id', 'registration', 'allowed_scopes'] as const

export interface ExtraMetadata {
  readonly tenant_id?: string
  readonly registration?: OAuthClientRow['registration']
  /** Most scopes that the client may be granted, separated by spaces; absent for any scope. */
  readonly allowed_scopes?: string
}

/** Reads the stored metadata. A missing scope means no scope, never all of them. */
export function metadataOf(row: Pick<OAuthClientRow, 'metadata'>): ClientMetadata {
  const stored = JSON.parse(row.metadata) as Omit<ClientMetadata, 'scope'> & { readonly scope?: string | null }
  return { ...stored, scope: stored.scope ?? '' }
}

/** Returns a stored client as the OAuth server reads it. Its `client_secret` is the hash; see `provider.ts`. */
export function clientOfRow(row: OAuthClientRow): AdapterPayload {
  const { scope, ...metadata } = metadataOf(row)
  const isPublic = metadata.token_endpoint_auth_method === 'none'
  return {
    ...metadata,
    client_id: row.id,
    ...(isPublic ? {} : { client_secret: row.secret_hash ?? '' }),
    tenant_id: row.tenant_id,
    registration: row.registration,
    allowed_scopes: scope,
  } as unknown as AdapterPayload
}

/**
 * Returns the scopes that a client may be granted, with the lower ceilings. A client described by a document may be
 * granted any scope.
 */
export function allowedScopes({ allowed_scopes: allowed }: ExtraMetadata): readonly Scope[] {
  return allowed === undefined ? SCOPES : [...withLowerCeilings(parseScopes(allowed))]
}
