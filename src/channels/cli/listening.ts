import { isIPv6 } from 'node:net'
import type { Config } from '../../config.ts'
import { parseIpAddress } from '../../platform/throttling/ip-address.ts'

export const PLAIN_HTTP =
  'the service speaks plain HTTP on an address that other machines reach: keys and passwords can be read on the way. ' +
  'Put a proxy with TLS in front and set PUBLIC_URL to its https address, or HOST to 127.0.0.1'

/** Whether others reach the service without TLS, as far as the settings tell. */
export function isReadableOnTheWay({
  host,
  publicUrl,
  trustProxy,
}: Pick<Config, 'host' | 'publicUrl' | 'trustProxy'>): boolean {
  const isLocal = parseIpAddress(host)?.range() === 'loopback'
  return !isLocal && !publicUrl.startsWith('https:') && trustProxy === false
}

/** Where the service listens, for people. @param url the address it was told to have, for its port */
export function listeningOn(host: string, url: string): string {
  const place = `${isIPv6(host) ? `[${host}]` : host}:${new URL(url).port || '80'}`
  const isEverywhere = parseIpAddress(host)?.range() === 'unspecified'
  return isEverywhere ? `${place}, every address of this machine` : place
}

/**
 * An address of this machine by its name, as `PUBLIC_URL` has it unless set: for a browser the two are not one origin.
 */
export function nearAddress(url: string): string {
  return url.replace(/\/\/(?:127\.0\.0\.1|\[::1?\])(?=:|$)/, '//localhost')
}
