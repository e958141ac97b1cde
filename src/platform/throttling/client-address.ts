import { isIPv4 } from 'node:net'
import { parseIpAddress } from './ip-address.ts'

const PREFIX_GROUPS = 4
/**
 * All unreadable texts share one name. Only a proxy can have written them, and varying the text must not gain an
 * allowance.
 */
const UNREADABLE = 'unknown'

/**
 * The address that a client without a credential is counted by: an IPv4 address, or the /64 of one IPv6 subscriber (RFC
 * 6177).
 */
export function clientAddress(ip: string): string {
  const address = parseIpAddress(ip)
  if (address === null) return UNREADABLE
  if (!('parts' in address)) return address.toString()
  const groups = address.parts.slice(0, PREFIX_GROUPS).map((group) => group.toString(16))
  return `${groups.join(':')}::/64`
}

/** The network of a `clientAddress`: an IPv6 site's /48 or an IPv4 /24. */
export function clientNetwork(address: string): string {
  if (address.endsWith('::/64')) return siteOf(address) as string
  return isIPv4(address) ? `${address.slice(0, address.lastIndexOf('.'))}.0/24` : address
}

/** The /48 of an IPv6 `clientAddress`, in which one subscriber may have 65,536 addresses; null for IPv4. */
export function siteOf(address: string): string | null {
  return address.endsWith('::/64') ? `${address.split(':').slice(0, 3).join(':')}::/48` : null
}
