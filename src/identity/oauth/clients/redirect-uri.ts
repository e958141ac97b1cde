import { hasUser } from '../../../platform/web-url.ts'

/** Hosts of this machine (RFC 8252, section 7.3, and `localhost`, which clients use all the same). */
const LOOPBACK_HOSTS = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** Private-use schemes. The dot shows that a scheme comes from a domain name, so no other program should claim it. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/
/** Schemes of assistants without a dot. Another program that claims one cannot use the code without its verifier. */
const KNOWN_SCHEMES: ReadonlySet<string> = new Set(['cursor:'])

/**
 * Returns why browsers may not be redirected to an address; null when they may. Allowed are https, http on a loopback
 * address, and a private-use scheme that has a dot (RFC 8252, section 7.1) or belongs to a known assistant. A fragment,
 * a wildcard or a user name is refused.
 */
export function redirectUriFault(uri: string): string | null {
  if (!URL.canParse(uri)) return 'is not an absolute address'
  if (/[\s\\*]/.test(uri)) return 'must be one exact address, without wildcards'
  const url = new URL(uri)
  if (uri.includes('#')) return 'must have no fragment'
  if (hasUser(url)) return 'must name no user'
  if (url.protocol === 'https:') {
    return LOOPBACK_HOSTS.has(url.hostname) ? 'must use http on a loopback address' : null
  }
  if (url.protocol === 'http:') return isLoopback(uri) ? null : 'may use http on a loopback address only'
  return PRIVATE_USE.test(url.protocol) || KNOWN_SCHEMES.has(url.protocol)
    ? null
    : 'must use https, http on a loopback address, or a scheme with a dot'
}

/** Receiver of an answer, in terms that a person can recognise. */
export interface Destination {
  /** A web site, a program on the person's own machine, or an app that has claimed a scheme on that machine. */
  readonly kind: 'site' | 'machine' | 'app'
  /** The host, with its port if there is one; the scheme for an app. */
  readonly name: string
}

/** Returns who receives an answer that is sent to an address. @param uri an address that `redirectUriFault` allows */
export function destinationOf(uri: string): Destination {
  const { protocol, host } = new URL(uri)
  if (protocol === 'https:') return { kind: 'site', name: host }
  // The host after a private-use scheme may name any web site, and says nothing about who receives the answer.
  return isLoopback(uri) ? { kind: 'machine', name: host } : { kind: 'app', name: protocol.slice(0, -1) }
}

/** Tells whether an address leads to a program on the person's own machine. */
export function isLoopback(uri: string): boolean {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return protocol === 'http:' && LOOPBACK_HOSTS.has(hostname)
}
