import { type IpNetwork, isWithin, parseIpAddress, parseNetwork } from './ip-address.ts'

/** Whose word counts on where a request came from: nobody's, that of so many proxies in front, or of these networks. */
export type TrustedProxies = false | number | readonly string[]

const HOPS_MAX = 16

/** What the setting takes, in words. */
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
 * Whether to believe what the party at an address, so many steps away, says of the one before it. Proxies append to
 * `X-Forwarded-For`, some with the port, so it is read from its end; what stands before the last entry believed may be
 * made up.
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
