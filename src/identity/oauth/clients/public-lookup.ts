import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress, notPublic } from './public-address.ts'

/** Each server is asked twice; a name whose IPv6 part never answers leaves most of a fetch's time to its IPv4 one. */
const PATIENCE = { timeout: 750, maxTimeout: 750, tries: 2 }
/**
 * So many of IPv4 and of IPv6 are connected to: whoever owns a name may have it stand for thousands of others' hosts.
 */
const ADDRESSES_MAX = 2
/** RFC 6761, section 6.3: nobody is asked what this name stands for. */
const THIS_MACHINE = /(?:^|\.)localhost\.?$/i

export interface LookupOptions {
  /** Breaks the look-up off. */
  readonly signal?: AbortSignal | null
  /** Name servers, where not those of the system. */
  readonly servers?: readonly string[]
}

/**
 * The public addresses that a host stands for, at most two of IPv4 and two of IPv6. Name servers are asked directly:
 * a look-up of the operating system would hold one of the few threads that everything else of the process shares, and
 * could not be broken off. So a name stands for what public DNS says, and never for what a hosts file does.
 * @returns once the look-up has ended, also where it was broken off
 * @throws Error when one of them is not public, none is there, or the look-up was broken off
 */
export async function lookUpPublic(host: string, options: LookupOptions = {}): Promise<LookupAddress[]> {
  if (THIS_MACHINE.test(host)) throw notPublic()
  const family = isIP(host)
  const found = family === 0 ? await addressesOf(host, options) : [{ address: host, family }]
  if (!found.every(({ address }) => isPublicAddress(address))) throw notPublic()
  return [4, 6].flatMap((each) => found.filter((one) => one.family === each).slice(0, ADDRESSES_MAX))
}

async function addressesOf(name: string, { signal, servers }: LookupOptions): Promise<LookupAddress[]> {
  signal?.throwIfAborted()
  // One for each look-up, or breaking one off would break off all.
  const resolver = new Resolver(PATIENCE)
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = (): void => resolver.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    signal?.throwIfAborted()
    const found = answers.flatMap((answer, i) =>
      answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family: i === 0 ? 4 : 6 })),
    )
    if (found.length === 0) throw new Error('the name stands for no address')
    return found
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
}
