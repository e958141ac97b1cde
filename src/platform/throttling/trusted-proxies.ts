import { type IpNetwork, isWithin, parseIpAddress, parseNetwork } from './ip-address.ts'

/** The trusted proxies: none, that many in front of the service, or those in these networks. */
export type TrustedProxies = false | number | readonly string[]

const HOPS_MAX = 16

/** The values that the setting accepts, in words. */
export const TRUSTED_PROXIES_ALLOWED = `true, false, a number of proxies up to ${HOPS_MAX}, or addresses and networks of proxies with commas between`

/**
 * Reads the setting: `false`, `true` (one proxy), how many proxies, or their addresses and networks with commas between.
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
 * Whether to trust the X-Forwarded-For entry written by an address that many steps away. Proxies append entries, some
 * with a port, so the header is read from its end. Entries before the last trusted one may be forged.
 */
export function trustOf(proxies: TrustedProxies): false | ((address: string, steps: number) => boolean) {
  if (proxies === false) return false
  if (typeof proxies === 'number') return (_address, steps) => steps < proxies
  const trusted = proxies.map((network) => parseNetwork(network) as IpNetwork)
  return (given) => {
    const address = parseIpAddress(given)
    return address !== null && trusted.some((network) => isWithin(address, network))
  }
}
