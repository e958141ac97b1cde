import { type IpNetwork, isWithin, parseIpAddress, parseNetwork } from './ip-address.ts'

/** Proxies whose entries in X-Forwarded-For are trusted: none, a number of them, or those in some networks. */
export type TrustedProxies = false | number | readonly string[]

const HOPS_MAX = 16

/** Values that the setting accepts, in words. */
export const TRUSTED_PROXIES_ALLOWED = `true, false, a number of proxies up to ${HOPS_MAX}, or addresses and networks of proxies with commas between`

/**
 * Reads the setting: `false`, `true` (one proxy), a number of proxies, or addresses and networks with commas between.
 * @throws Error with a message that continues the setting's name
 */
export function readTrustedProxies(raw: string | undefined): TrustedProxies {
  if (raw === undefined || raw === 'false') return false
  if (raw === 'true') return 1
  if (/^\d{1,2}$/.test(raw) && Number(raw) <= HOPS_MAX) return Number(raw) === 0 ? false : Number(raw)
  const networks = raw.split(',').map((network) => network.trim())
  if (!networks.every((network) => parseNetwork(network) !== null)) {
    throw new Error(`must be ${TRUSTED_PROXIES_ALLOWED}`)
  }
  return networks
}

/**
 * Returns a function that tells whether an entry of X-Forwarded-For is trusted, by the address that wrote it and the
 * number of steps from the service to that address; false when no proxy is trusted. Proxies append entries, some with a
 * port, so the header is read from its end. Entries before the last trusted one may be forged.
 */
export function trustOf(proxies: TrustedProxies): false | ((address: string, steps: number) => boolean) {
  if (proxies === false) return false
  if (typeof proxies === 'number') return (_address, steps) => steps < proxies
  const trusted = proxies.map((network) => parseNetwork(network) as IpNetwork)
  return (text) => {
    const address = parseIpAddress(text)
    return address !== null && trusted.some((network) => isWithin(address, network))
  }
}
