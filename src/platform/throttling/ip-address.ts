import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6
/** The first address of a network, or any of it, and how many of its bits count. */
export type IpNetwork = [address: IpAddress, bits: number]

/** As long as the longest way to write an address, IPv4 within IPv6 (INET6_ADDRSTRLEN of POSIX without its zero). */
const CHARACTERS_MAX = 45
/** Of an IPv6 address that stands for an IPv4 one, the bits before it. */
const MAPPED_BITS = 96
const WITH_PORT = /^(?:\[([^\]]*)\]|([^:]*))(?::\d{0,5})?$/

/**
 * The address that a text stands for, in whatever way it is written: with a port behind it or in brackets, as some
 * proxies write it, in capitals, with zeros, with a zone. IPv4 within IPv6 (`::ffff:192.0.2.1`) is IPv4.
 * @returns null for what is no address
 */
export function parseIpAddress(text: string): IpAddress | null {
  const bare = withoutPort(text.trim()).split('%', 1)[0]
  if (bare.length > CHARACTERS_MAX) return null
  if (!bare.includes(':')) return ipaddr.IPv4.isValidFourPartDecimal(bare) ? ipaddr.IPv4.parse(bare) : null
  return ipaddr.IPv6.isValid(bare) ? ipaddr.process(bare) : null
}

/**
 * A network as settings write it, `10.0.0.0/8` or one address alone.
 * @returns null for what is none
 */
export function parseNetwork(text: string): IpNetwork | null {
  const [written, bits, ...more] = text.split('/')
  // A port, brackets or a zone say nothing of a network.
  if (more.length > 0 || isIP(written) === 0 || written.includes('%')) return null
  const address = ipaddr.parse(written)
  const bitsMax = address.kind() === 'ipv6' ? 128 : 32
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > bitsMax)) return null
  const length = bits === undefined ? bitsMax : Number(bits)
  // Addresses are compared as IPv4 where they can be, and so are their networks.
  if ('parts' in address && address.isIPv4MappedAddress() && length >= MAPPED_BITS) {
    return [address.toIPv4Address(), length - MAPPED_BITS]
  }
  return [address, length]
}

/** Whether a network holds an address. */
export function isWithin(address: IpAddress, network: IpNetwork): boolean {
  return address.kind() === network[0].kind() && address.match(network)
}

/** IPv6 without brackets has no port: its last group could not be told from one. */
function withoutPort(text: string): string {
  const match = WITH_PORT.exec(text)
  return match?.[1] ?? match?.[2] ?? text
}
