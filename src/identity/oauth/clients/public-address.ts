import { isWithin, parseIpAddress, parseNetwork, type IpNetwork } from '../../../platform/throttling/ip-address.ts'

/** The only part of IPv6 that is the internet (RFC 4291, section 2.4): much of the rest stands for IPv4 somewhere. */
const INTERNET_IPV6 = parseNetwork('2000::/3') as IpNetwork

/**
 * Whether an address is one of the internet: in no network that IANA's registries of special-purpose addresses name.
 * IPv4 written as IPv6 counts as what it is.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address?.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || isWithin(address, INTERNET_IPV6)
}

/** Says no more than that: what stands at an address inside is nobody's to learn. */
export const notPublic = (): Error => new Error('the address is not public')
