import { isIP, isIPv6 } from 'node:net'

/** An address of TCP. */
export interface HostPort {
  /** A name or an IP address, without brackets. */
  readonly host: string
  readonly port: number
}

const FORM = /^(?:\[([\d.:a-f]+)\]|([\w.-]+)):(\d{1,5})$/i
const PORT_MAX = 65_535

/** Reads `host:port`, in one spelling for each address, so that texts can be compared. @returns null for anything else */
export function parseHostPort(text: string): HostPort | null {
  const [, bracketed, named = '', digits] = FORM.exec(text.trim()) ?? []
  const port = Number(digits)
  if (!(port >= 1 && port <= PORT_MAX)) return null
  if (bracketed !== undefined) return isIPv6(bracketed) ? { host: plainIPv6(bracketed), port } : null
  // Digits and dots alone are an address; as a name they would be looked up.
  if (/^[\d.]+$/.test(named) && isIP(named) === 0) return null
  const host = named.toLowerCase()
  // The name may stand for two addresses, of which a server takes one.
  return { host: host === 'localhost' ? '127.0.0.1' : host, port }
}

export function hostPortText({ host, port }: HostPort): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`
}

/** Whether a server that listens there listens on every address of its machine. */
export function isEveryAddress({ host }: HostPort): boolean {
  return host === '0.0.0.0' || host === '::'
}

function plainIPv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}
