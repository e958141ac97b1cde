import type { Scope } from '../../platform/access/scopes.ts'

/** Scopes an assistant asks for by default: those the tools need. The user may grant fewer. */
export const MCP_SCOPES: readonly Scope[] = [
  'knowledge:read',
  'knowledge:write',
  'knowledge:delete',
  'knowledge:personal',
  'products:read',
  'visibility:restricted',
]

/** Address of the metadata of the resource `/mcp` (RFC 9728), at the tenant's origin. */
function resourceMetadataUrl(origin: string): string {
  return `${origin}/.well-known/oauth-protected-resource/mcp`
}

interface Challenge {
  /** Scheme and host, without a slash at the end. */
  readonly origin: string
  /** Absent where no credential was sent (RFC 6750 section 3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope'
  readonly scopes: readonly string[]
}

/** The WWW-Authenticate header that leads a client to the authorization server (RFC 6750, RFC 9728 section 5.1). */
export function bearerChallenge({ origin, error, scopes }: Challenge): string {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${resourceMetadataUrl(origin)}"`,
    `scope="${scopes.join(' ')}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}
