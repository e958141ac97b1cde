import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch as fetchWith } from 'undici'
import { isPublicAddress, notPublic } from './public-address.ts'
import { type LookupOptions, lookUpPublic } from './public-lookup.ts'

/** Time after which connecting is given up, even when the request was aborted before. */
const CONNECT_TIMEOUT_MS = 2_500

/** Returns a `lookup` for Node that answers with these addresses instead of asking name servers. */
function lookupOf(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all === true) callback(null, [...addresses])
    else callback(null, addresses[0].address, addresses[0].family)
  }
}

/**
 * Returns a connector to these addresses, whatever the name resolves to by then. It checks the connected address again
 * before a request is sent.
 */
export function connectorTo(addresses: readonly LookupAddress[]): buildConnector.connector {
  const connect = buildConnector({ lookup: lookupOf(addresses), timeout: CONNECT_TIMEOUT_MS, allowH2: false })
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null)
      const { remoteAddress } = socket
      if (remoteAddress !== undefined && isPublicAddress(remoteAddress)) return callback(null, socket)
      socket.destroy()
      callback(notPublic(), null)
    })
}

/**
 * Returns a `fetch` that connects to public addresses only: it resolves and checks the name before it connects, and
 * rejects when an address is not public.
 * @param servers name servers; by default those of the system
 */
export function publicFetch({ servers }: Pick<LookupOptions, 'servers'> = {}): typeof globalThis.fetch {
  return async (resource, init) => {
    const url = new URL(resource instanceof Request ? resource.url : resource)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = await lookUpPublic(host, { signal: init?.signal, servers })
    // One agent for each request: another look-up may resolve the name to other addresses.
    const dispatcher = new Agent({ connect: connectorTo(addresses), pipelining: 0 })
    return fetchWith(url, { ...init, dispatcher })
  }
}

/** A `publicFetch` with the name servers of the system. */
export const fetchPublic = publicFetch()
