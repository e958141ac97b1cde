/** Hosts of this machine (RFC 8252, section 7.3, and `localhost`, which clients use all the same). */
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** Private-use schemes: the dot says they were made from a domain name, so that nobody else's program takes them. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/
/** Schemes without a dot all the same, of assistants that register them: their code is of no use without its verifier. */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set(['cursor:'])

/**
 * Why an address cannot be redirected to; null when it can. Allowed are https, http on a loopback address, and a
 * private-use scheme with a dot in it (RFC 8252, section 7.1) or of a known assistant; no fragment, no wildcard, no user name.
 */
export function redirectUriFault(uri: string): string | null {
  if (!URL.canParse(uri)) return 'is not an absolute address'
  if (/[\s\\*]/.test(uri)) return 'must be one exact address, without wildcards'
  const url = new URL(uri)
  if (uri.includes('#')) return 'must have no fragment'
  if (url.username !== '' || url.password !== '') return 'must name no user'
  if (url.protocol === 'https:') {
    return LOOPBACK_HOSTS.has(url.hostname) ? 'must use http on a loopback address' : null
  }
  if (url.protocol === 'http:') return isLoopback(uri) ? null : 'may use http on a loopback address only'
  return PRIVATE_USE.test(url.protocol) || KNOWN_SCHEMES.has(url.protocol)
    ? null
    : 'must use https, http on a loopback address, or a scheme with a dot'
}

/** Where an answer goes, as a person can know it. */
export interface Destination {
  /** A web site; a program on the person's own machine; an app that has taken a scheme there. */
  readonly kind: 'site' | 'machine' | 'app'
  /** The host, with a port where there is one; of an app the scheme. */
  readonly name: string
}

/** @param uri one that may be redirected to */
export function destinationOf(uri: string): Destination {
  const { protocol, host } = new URL(uri)
  if (protocol === 'https:') return { kind: 'site', name: host }
  // Behind a private-use scheme may stand the name of any web site, and says nothing of who gets the answer.
  return isLoopback(uri) ? { kind: 'machine', name: host } : { kind: 'app', name: protocol.slice(0, -1) }
}

/** Whether an address leads to a program on the person's own machine. */
export function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && LOOPBACK_HOSTS.has(hostname)
}
