import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { type Finding, ok, warn } from '../check.ts'

/** From where an address can be reached: the internet, a private network, or this machine. */
export type Reach = 'public' | 'private' | 'machine'

export interface Address {
  readonly reach: Reach
  readonly finding: Finding
}

const LOOPBACK = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/
/** Names that do not exist in public DNS. */
const PRIVATE_NAME = /^[^.]+$|\.(?:local|lan|home|internal|intranet|corp|test|home\.arpa)$/

const PRIVATE = new BlockList()
for (const [net, bits] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['127.0.0.0', 8],
] as const) {
  PRIVATE.addSubnet(net, bits, 'ipv4')
}
for (const [net, bits] of [
  ['fc00::', 7],
  ['fe80::', 10],
  ['::1', 128],
] as const) {
  PRIVATE.addSubnet(net, bits, 'ipv6')
}

/**
 * Judges from where clients can reach the service at its address.
 * @param resolved the IP addresses of its host name; empty when they are not known
 */
export function judgeAddress(origin: string, resolved: readonly string[]): Address {
  const { protocol, hostname } = new URL(origin)
  if (LOOPBACK.test(hostname)) {
    return {
      reach: 'machine',
      finding: warn(
        `${origin} reaches programs on this machine only; for Claude and ChatGPT set PUBLIC_URL to an https address`,
      ),
    }
  }
  const host = hostname.replace(/^\[|\]$/g, '')
  const isPrivate =
    isIP(host) > 0 ? isPrivateIp(host) : PRIVATE_NAME.test(host) || (resolved.length > 0 && resolved.every(isPrivateIp))
  if (protocol !== 'https:') {
    return {
      reach: 'private',
      finding: warn(
        `${origin} is not encrypted: others in the network can read tokens, and hosted assistants refuse it. ` +
          'Put TLS in front and set PUBLIC_URL to the https address',
      ),
    }
  }
  return isPrivate
    ? {
        reach: 'private',
        finding: warn(
          `${origin} leads to a private address: programs in this network reach it, Claude and ChatGPT do not`,
        ),
      }
    : { reach: 'public', finding: ok(`${origin} is public and encrypted`) }
}

function isPrivateIp(address: string): boolean {
  return PRIVATE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Looks up the IP addresses of an origin's host name. @returns none when the look-up fails */
export async function resolve(origin: string): Promise<string[]> {
  const { hostname } = new URL(origin)
  try {
    return (await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true })).map(({ address }) => address)
  } catch {
    return []
  }
}
