import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch as fetchWith } from 'undici'
import { isPublicAddress, notPublic } from './public-address.ts'
import { type LookupOptions, lookUpPublic } from './public-lookup.ts'

/** Connecting is given up after this time, even when the request was aborted before. */
const CONNECT_TIMEOUT_MS = 2_500

/** Node's `lookup`, answered from addresses that were found before. */
function foundAlready(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all === true) callback(null, [...addresses])
    else callback(null, addresses[0].address, addresses[0].family)
  }
}

/**
 * Connects to these addresses, whatever the name resolves to by then, and checks the connected address again before a
 * request is sent.
 */
export function connectorTo(addresses: readonly LookupAddress[]): buildConnector.connector {
  const connect = buildConnector({ lookup: foundAlready(addresses), timeout: CONNECT_TIMEOUT_MS, allowH2: false })
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
 * `fetch` that connects to public addresses only. It resolves and checks the name before it connects.
 * @throws Error when an address is not public
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

/** `publicFetch` with the name servers of the system. */
export const fetchPublic = publicFetch()
