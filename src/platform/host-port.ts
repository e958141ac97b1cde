import { isIP, isIPv6 } from 'node:net'

/** Address of a TCP socket. */
export interface HostPort {
  /** A name or an IP address, without brackets. */
  readonly host: string
  readonly port: number
}

const FORM = /^(?:\[([\d.:a-f]+)\]|([\w.-]+)):(\d{1,5})$/i
const PORT_MAX = 65_535

/**
 * Parses `host:port`. The host gets one spelling for each address, so that addresses can be compared.
 * @returns null for any other text
 */
export function parseHostPort(text: string): HostPort | null {
  const [, bracketed, named = '', digits] = FORM.exec(text.trim()) ?? []
  const port = Number(digits)
  if (!(port >= 1 && port <= PORT_MAX)) return null
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: plainIPv6(bracketed), port } : null
  // Digits and dots alone have to be an IP address; as a name they would be looked up.
  if (/^[\d.]+$/.test(named) && isIP(named) === 0) return null
  const host = named.toLowerCase()
  // This name may stand for two addresses, of IPv4 and IPv6, and a server listens at one of them.
  return { host: host === 'localhost' ? '127.0.0.1' : host, port }
}

export function hostPortText({ host, port }: HostPort): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

/** Tells whether a server that listens at this address listens on every address of its machine. */
export function isEveryAddress({ host }: HostPort): boolean {
  return host === '0.0.0.0' || host === '::'
}

function plainIPv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
