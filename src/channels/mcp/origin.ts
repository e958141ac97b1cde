const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/

interface OriginFacts {
  /** The Origin header; only browsers send one. */
  readonly origin: string | undefined
  /** Host and port asked for. */
  readonly host: string
  readonly publicUrl: string
  /** Whether the credential was good because the host asked for is its tenant's own. */
  readonly isTenantHost: boolean
}

/**
 * Whether a request may come from where its Origin says: from no page at all, from the service's public address, or
 * from the very host it asks for. That host counts only where it is known to be ours, since a name that an attacker
 * has pointed at this machine (DNS rebinding) equals the host asked for as well.
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
