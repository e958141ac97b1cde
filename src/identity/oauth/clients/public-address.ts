import { BlockList } from 'node:net'
import { parseIpAddress } from '../../../platform/throttling/ip-address.ts'

/** Networks that are not the internet (IANA's registries of special-purpose addresses), or that hide an address in one. */
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
/** The only part of IPv6 that is the internet (RFC 4291, section 2.4): much of the rest stands for IPv4 somewhere. */
const INTERNET_IPV6 = ['2000::', 3] as const
const SPECIAL_IPV6: readonly (readonly [network: string, bits: number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

// Apart, because a list of both takes IPv4 for the part of IPv6 that it is mapped to.
const [specialIpv4, specialIpv6, internetIpv6] = [new BlockList(), new BlockList(), new BlockList()]
for (const [network, bits] of SPECIAL_IPV4) specialIpv4.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of SPECIAL_IPV6) specialIpv6.addSubnet(network, bits, 'ipv6')
internetIpv6.addSubnet(...INTERNET_IPV6, 'ipv6')

/** Whether an address is one of the internet. IPv4 written as IPv6 counts as what it is. */
export function isPublicAddress(text: string): boolean {
  const address = parseIpAddress(text)
  if (address === null) return false
  const plain = address.toString()
  if (!('parts' in address)) return !specialIpv4.check(plain, 'ipv4')
  return internetIpv6.check(plain, 'ipv6') && !specialIpv6.check(plain, 'ipv6')
}

/** Says no more than that: what stands at an address inside is nobody's to learn. */
export const notPublic = (): Error => new Error('the address is not public')
