import { BlockList, isIPv6 } from 'node:net'

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
const SPECIAL_IPV6: readonly (readonly [network: string, bits: number])[] = [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 63],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
]

const special = new BlockList()
for (const [network, bits] of SPECIAL_IPV4) special.addSubnet(network, bits, 'ipv4')
for (const [network, bits] of SPECIAL_IPV6) special.addSubnet(network, bits, 'ipv6')

/** Whether an address is one of the internet. IPv4 written as IPv6 counts as what it is. */
export function isPublicAddress(address: string): boolean {
  return !special.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Says no more than that: what stands at an address inside is nobody's to learn. */
export const notPublic = (): Error => new Error('the address is not public')
