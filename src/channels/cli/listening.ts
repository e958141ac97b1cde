import { isIPv6 } from 'node:net'
import type { Config } from '../../config.ts'
import { parseIpAddress } from '../../platform/throttling/ip-address.ts'

/** The warning about a service that other machines reach without TLS. */
export const PLAIN_HTTP =
  'the service speaks plain HTTP on an address that other machines reach: others can read keys and passwords in the ' +
  'network. Put a proxy with TLS in front and set PUBLIC_URL to its https address, or set HOST to 127.0.0.1'

/** Tells whether other machines reach the service without TLS, as far as the settings show. */
export function isExposedOverPlainHttp({
  host,
  publicUrl,
  trustProxy,
}: Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>): boolean {
  const isLocal = parseIpAddress(host)?.range() === 'loopback'
  return !isLocal && !publicUrl.startsWith('https:') && trustProxy === false
}

/** Writes for people where the service listens. @param url address of the listening server, for its port */
export function listeningOn(host: string, url: string): string {
  const place = `${isIPv6(host) ? `[${host}]` : host}:${new URL(url).port || '80'}`
  const isEverywhere = parseIpAddress(host)?.range() === 'unspecified'
  return isEverywhere ? `${place}, every address of this machine` : place
}

/**
 * Writes a loopback address as `localhost`, as in the default of `PUBLIC_URL`: for a browser the two are different
 * origins.
 */
export function localhostAddress(url: string): string {
  return url.replace(/\/\/(?:127\.0\.0\.1|\[::1?\])(?=:|$)/, '//localhost')
}
