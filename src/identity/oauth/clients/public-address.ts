import { isWithin, parseIpAddress, parseNetwork, type IpNetwork } from '../../../platform/throttling/ip-address.ts'

/**
 * Global unicast addresses (RFC 4291, section 2.4). Much of the rest of IPv6 embeds IPv4 addresses. The cast holds
 * because the text is a network.
 */
const INTERNET_IPV6 = parseNetwork('2000::/3') as IpNetwork

/**
 * Tells whether an address belongs to the internet: to no network in IANA's registries of special-purpose addresses. An
 * IPv4-mapped IPv6 address is checked as IPv4.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address?.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || isWithin(address, INTERNET_IPV6)
}

/** Returns the error for an address that is not public. It says no more: strangers must not learn of internal hosts. */
export const notPublic = (): Error => new Error('the address is not public')
