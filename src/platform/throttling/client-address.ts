import { isIPv4 } from 'node:net'
import { parseIpAddress } from './ip-address.ts'

const PREFIX_GROUPS = 4
/** What only a proxy can have written, such as `unknown`: together, so that no wording is worth an allowance. */
const UNREADABLE = 'unknown'

/** Whom what needs no credential is counted against: an IPv4 address, or the /64 that one subscriber has of IPv6 (RFC 6177). */
export function clientAddress(ip: string): string {
  const address = parseIpAddress(ip)
  if (address === null) return UNREADABLE
  if (!('parts' in address)) return address.toString()
  const groups = address.parts.slice(0, PREFIX_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** The network of what `clientAddress` gave: the /48 that a site may have of IPv6, or the /24 of IPv4. */
export function clientNetwork(address: string): string {
  if (address.endsWith('::/64')) return siteOf(address) as string
  return isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : address
}

/** The /48 of what `clientAddress` gave, in which one subscriber may have 65,536 addresses; null of IPv4. */
export function siteOf(address: string): string | null {
  return address.endsWith('::/64') ? `${address.split(':').slice(0, 3).join(':')}::/48` : null
}
