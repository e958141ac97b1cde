import type { LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch as fetchWith } from 'undici'
import { isPublicAddress, notPublic } from './public-address.ts'
import { type LookupOptions, lookUpPublic } from './public-lookup.ts'

/** A connection that takes longer is given up, also when whoever wanted it is gone. */
const CONNECT_TIMEOUT_MS = 2_500

/** As `lookup` of Node, of what was found already. */
function foundAlready(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all === true) callback(null, [...addresses])
    else callback(null, addresses[0].address, addresses[0].family)
  }
}

/**
 * Connects to these addresses, whatever the name stands for by then, and looks once more at whom it is connected to
 * before anything is asked.
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
 * `fetch`, of public addresses only: what a name stands for is looked at before anybody is connected to.
 * @throws Error for any other
 */
export function publicFetch({ servers }: Pick<LookupOptions, 'servers'> = {}): typeof globalThis.fetch {
  return async (resource, init) => {
    const url = new URL(resource instanceof Request ? resource.url : resource)
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = await lookUpPublic(host, { signal: init?.signal, servers })
    // Of this request alone, and closed with it: another look-up may find the name elsewhere.
    const dispatcher = new Agent({ connect: connectorTo(addresses), pipelining: 0 })
    return fetchWith(url, { ...init, dispatcher })
  }
}

/** The same with the name servers of the system. */
export const fetchPublic = publicFetch()
