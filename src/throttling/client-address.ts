import { isIPv4, isIPv6 } from 'node:net'

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const PREFIX_GROUPS = 4

/** Whom what needs no credential is counted against: an IPv4 address, or the /64 that one subscriber has of IPv6 (RFC 6177). */
export function clientAddress(ip: string): string {
  const mapped = IPV4_MAPPED.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(ip) ? `${prefixOf(ip)}::/64` : ip
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

/** The first four groups, written out. The zone of a link-local address is no part of them. */
function prefixOf(ip: string): string {
  const [head, tail] = ip.split('%')[0].toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    // A dotted end stands for two groups.
    const behind = tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0)
    while (groups.length < 8 - behind) groups.push('0')
    if (tail !== '') groups.push(...tail.split(':'))
  }
  return groups
    .slice(0, PREFIX_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
