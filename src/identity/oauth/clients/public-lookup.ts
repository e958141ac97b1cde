import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress, notPublic } from './public-address.ts'

/**
 * Timeouts of a query in milliseconds, and tries. They are short, so that a name whose IPv6 query is never answered
 * leaves most of a fetch's time to IPv4.
 */
const PATIENCE = { timeout: 750, maxTimeout: 750, tries: 2 }
/**
 * Most addresses of IPv4, and of IPv6. The owner of a name could otherwise make the service connect to thousands of
 * other people's hosts.
 */
const ADDRESSES_MAX = 2
/** Names that no name server is asked about (RFC 6761, section 6.3). */
const THIS_MACHINE = /(?:^|\.)localhost\.?$/i

export interface LookupOptions {
  /** Aborts the look-up. */
  readonly signal?: AbortSignal | null
  /** Name servers; by default those of the system. */
  readonly servers?: readonly string[]
}

/**
 * Resolves a host to public addresses, at most two of IPv4 and two of IPv6. It asks the name servers itself, so a hosts
 * file does not count: a look-up of the operating system would occupy one of the few threads that the whole process
 * shares, and could not be aborted.
 * @returns once the look-up has ended, even when it was aborted
 * @throws Error when an address is not public, none exists, or the look-up was aborted
 */
export async function lookUpPublic(host: string, options: LookupOptions = {}): Promise<LookupAddress[]> {
  if (THIS_MACHINE.test(host)) throw notPublic()
  const family = isIP(host)
  const addresses = family === 0 ? await addressesOf(host, options) : [{ address: host, family }]
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw notPublic()
  return [4, 6].flatMap((each) => addresses.filter((one) => one.family === each).slice(0, ADDRESSES_MAX))
}

async function addressesOf(name: string, { signal, servers }: LookupOptions): Promise<LookupAddress[]> {
  signal?.throwIfAborted()
  // One resolver for each look-up, because cancel() ends all queries of a resolver.
  const resolver = new Resolver(PATIENCE)
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    signal?.throwIfAborted()
    const addresses = answers.flatMap((answer, i) =>
      answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })),
    )
    if (addresses.length === 0) throw new Error('the name has no address')
    return addresses
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
