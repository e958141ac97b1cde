const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

interface OriginFacts {
  /** The Origin header; only browsers send one. */
  readonly origin: string | undefined
  /** Host and port of the request. */
  readonly host: string
  readonly publicUrl: string
  /** Whether the host of the request belongs to the credential's tenant. */
  readonly isTenantHost: boolean
}

/**
 * Tells whether a request with this Origin is allowed: no Origin, the public address, or the host of the request
 * itself. That host counts only if it is a tenant's or a loopback address: after DNS rebinding an attacker's name,
 * which points at this machine, equals the host of the request too.
 */
export function isOwnOrigin({ origin, host, publicUrl, isTenantHost }: OriginFacts): boolean {
  if (origin === undefined || origin === '') return true
  const from = originOf(origin)
  if (from === null) return false
  if (from.origin === new URL(publicUrl).origin) return true
  return from.host === host.toLowerCase() && (isTenantHost || LOOPBACK.test(from.hostname))
}

function originOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}
