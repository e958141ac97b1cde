import { lookup as lookupWithCallback } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { BlockList, isIPv6, type LookupFunction } from 'node:net'
import { Agent, fetch as fetchWith } from 'undici'

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

/** As `lookup` of Node; fails for a name that stands for any address that is not public. */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookupWithCallback(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, [])
    if (!addresses.every(({ address }) => isPublicAddress(address))) {
      return callback(new Error('the address is not public'), [])
    }
    if (options.all === true) callback(null, addresses)
    else callback(null, addresses[0].address, addresses[0].family)
  })
}

/** What it connects to is what it looked at, also where a name stands for something else each time it is asked for. */
const agent = new Agent({ connect: { lookup: lookupPublic } })

/**
 * `fetch`, of public addresses only: what a name stands for is looked at before anybody is connected to.
 * @throws Error for any other
 */
export const fetchPublic: typeof globalThis.fetch = async (resource, init) => {
  const url = new URL(resource instanceof Request ? resource.url : resource)
  const { hostname } = url
  const addresses = await withSignal(lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }), init?.signal)
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw new Error('the address is not public')
  return fetchWith(url, { ...init, dispatcher: agent })
}

/** A lookup cannot be broken off, but need not be waited for. */
async function withSignal<T>(work: Promise<T>, signal: AbortSignal | null | undefined): Promise<T> {
  if (!signal) return work
  work.catch(() => undefined)
  signal.throwIfAborted()
  const ended = new AbortController()
  const aborted = once(signal, 'abort', { signal: ended.signal }).then(() => {
    throw signal.reason
  })
  aborted.catch(() => undefined)
  try {
    return await Promise.race([work, aborted])
  } finally {
    ended.abort()
  }
}
