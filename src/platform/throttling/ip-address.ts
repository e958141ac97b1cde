import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
/** An address in a network, and the network's prefix length. */
export type IpNetwork = [address: IpAddress, bits: number]

/** Length of the longest notation, IPv4 within IPv6 (POSIX INET6_ADDRSTRLEN without its zero). */
const CHARACTERS_MAX = 45
/** Bits before the IPv4 address in an IPv4-mapped IPv6 address. */
const MAPPED_BITS = 96
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{0,5})?$/

/**
 * Parses an address in any notation: with a port or in brackets, as some proxies write it, in capitals, with zeros,
 * with a zone. IPv4 within IPv6 (`::ffff:192.0.2.1`) becomes IPv4.
 * @returns null for text that is no address
 */
export function parseIpAddress(text: string): IpAddress | null {
  const bare = withoutPort(text.trim()).split('%', 1)[0]
  if (bare.length > CHARACTERS_MAX) return null
  if (!bare.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(bare) ? ipaddr.IPv4.parse(bare) : null
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null
}

/**
 * Parses a network from the settings, `10.0.0.0/8` or a single address.
 * @returns null for text that is no network
 */
export function parseNetwork(text: string): IpNetwork | null {
  const [base, bits, ...more] = text.split('/')
  // Ports, brackets and zones are not part of a network.
  if (more.length > 0 || isIP(base) === 0 || base.includes('%')) return null
  const address = ipaddr.parse(base)
  const bitsMax = address.kind() === 'ipv6' ? 128 : 32
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax)) return null
  const length = bits === undefined ? bitsMax : Number(bits)
  // Addresses are compared as IPv4 where possible, so networks are too.
  if ('parts' in address && address.isIPv4MappedAddress() && length >= MAPPED_BITS) {
    return [address.toIPv4Address(), length - MAPPED_BITS]
  }
  return [address, length]
}

/** Tells whether an address is in a network. */
export function isWithin(address: IpAddress, network: IpNetwork): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}

/** Removes a port and brackets. An IPv6 address without brackets has no port, which would look like its last group. */
function withoutPort(text: string): string {
  const match = WITH_PORT.exec(text)
  return match?.[1] ?? match?.[2] ?? text
}
