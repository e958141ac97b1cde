import type { Scope } from '../../platform/access/scopes.ts'

/** Scopes that an assistant asks for by default: those of the tools. The user may grant fewer. */
export const MCP_SCOPES: readonly Scope[] = [
  'knowledge:read',
  'knowledge:write',
  'knowledge:delete',
  'knowledge:personal',
  'products:read',
  'visibility:restricted',
]

/** Returns the address of the metadata of the resource `/mcp` (RFC 9728), at the tenant's origin. */
function resourceMetadataUrl(origin: string): string {
  return `${origin}/.well-known/oauth-protected-resource/mcp`
}

interface Challenge {
  /** Scheme and host, without a slash at the end. */
  readonly origin: string
  /** Absent when the request had no credential (RFC 6750 section 3.1). */
  readonly error?: 'invalid_token' | 'insufficient_scope'
  readonly scopes: readonly string[]
}

/** Returns the WWW-Authenticate header that leads clients to the authorization server (RFC 6750; RFC 9728, 5.1). */
export function bearerChallenge({ origin, error, scopes }: Challenge): string {
  const parameters = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    `resource_metadata="${resourceMetadataUrl(origin)}"`,
    `scope="${scopes.join(' ')}"`,
  ]
  return `Bearer ${parameters.join(', ')}`
}
