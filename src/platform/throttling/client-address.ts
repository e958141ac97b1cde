import { isIPv4 } from 'node:net'
import { parseIpAddress } from './ip-address.ts'

/** Groups of 16 bits in the prefix of a /64. */
const PREFIX_GROUPS = 4
/**
 * Address of all unreadable texts together. Only a proxy can have written them, and a client that varies them must not
 * get a new allowance for each.
 */
const UNREADABLE = 'unknown'

/**
 * Returns the address that a client without a credential is counted by: an IPv4 address, or the /64 of one IPv6
 * subscriber (RFC 6177).
 */
export function clientAddress(ip: string): string {
  const address = parseIpAddress(ip)
  if (address === null) return UNREADABLE
  if (!('parts' in address)) return address.toString()
  const groups = address.parts.slice(0, PREFIX_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** Returns the network of a `clientAddress`: an IPv6 site's /48 or an IPv4 /24. */
export function clientNetwork(address: string): string {
  if (address.endsWith('::/64')) return siteOf(address) as string
  return isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : address
}

/** Returns the /48 of an IPv6 `clientAddress`, in which one subscriber may have 65,536 addresses; null for IPv4. */
export function siteOf(address: string): string | null {
  return address.endsWith('::/64') ? `${address.split(':').slice(0, 3).join(':')}::/48` : null
}
