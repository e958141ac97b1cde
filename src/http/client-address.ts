import { isIPv6 } from 'node:net'

const IPV4_MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i
const PREFIX_GROUPS = 4

/** Whom what needs no credential is counted against: an IPv4 address, or the /64 that one subscriber has of IPv6 (RFC 6177). */
export function clientAddress(ip: string): string {
  const mapped = IPV4_MAPPED.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  return isIPv6(ip) ? `${prefixOf(ip)}::/64` : ip
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
