import { BlockList } from 'node:net'
import { parseIpAddress } from '../../../platform/throttling/ip-address.ts'

/** Networks outside the internet (IANA's registries of special-purpose addresses), or that embed such an address. */
const SPECIAL_IPV4: readonly (readonly [network: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
/** Global unicast addresses (RFC 4291, section 2.4). Much of the rest of IPv6 embeds IPv4 addresses. */
const INTERNET_IPV6 = ['2000::', 3] as const
const SPECIAL_IPV6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

// Separate lists, because a list with both would also match IPv4 addresses against IPv6 networks, as mapped ones.
const [specialIpv4, specialIpv6, internetIpv6] = [new BlockList(), new BlockList(), new BlockList()]
for (const [network, bits] of SPECIAL_IPV4) specialIpv4.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of SPECIAL_IPV6) specialIpv6.addSubnet(network, bits, 'ipv6')
internetIpv6.addSubnet(...INTERNET_IPV6, 'ipv6')

/** Whether an address belongs to the internet. An IPv4-mapped IPv6 address is checked as IPv4. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address === null) return false
  const plain = address.toString()
  if (!('parts' in address)) return !specialIpv4.check(plain, 'ipv4')
  return internetIpv6.check(plain, 'ipv6') && !specialIpv6.check(plain, 'ipv6')
}

/** Says no more, because a stranger must learn nothing about internal hosts. */
export const notPublic = (): Error => new Error('the address is not public')
