import { resolve } from 'node:path'
import { isPostgresUrl } from '../platform/database/postgres-address.ts'
import { type HostPort, parseHostPort } from '../platform/host-port.ts'
import { type IpNetwork, parseNetwork } from '../platform/throttling/ip-address.ts'
import type { Kind } from './setting.ts'

/** Processes of a service: more than a machine has cores that one service could use. */
export const PROCESSES_MAX = 64
/** Processes to which searches are passed on: far more than share one database. Each connects to every other one. */
const PEERS_MAX = 256

/** Makes a kind. @param parse returns undefined for a value that is not allowed */
export function kind<T>(allowed: string, parse: (raw: string) => T | undefined, must = 'be'): Kind<T> {
  return {
    allowed,
    isSecret: false,
    read(raw) {
      const value = parse(raw)
      if (value === undefined) throw new Error(`must ${must} ${allowed}`)
      return value
    },
  }
}

/** Makes a kind whose values stay as they are written. */
export function textThat(allowed: string, isAllowed: (raw: string) => boolean, must = 'be'): Kind<string> {
  return kind(allowed, (raw) => (isAllowed(raw) ? raw : undefined), must)
}

/** Makes a kind whose values no page, log or message may show. */
export function secret<T>(open: Kind<T>): Kind<T> {
  return { ...open, isSecret: true }
}

/** Makes a kind of whole numbers from `min` to `max`, both included, written in digits alone. */
export function integer(min: number, max: number): Kind<number> {
  return kind(`a whole number from ${min} to ${max}`, (raw) => {
    const value = Number(raw)
    return /^\d+$/.test(raw) && value >= min && value <= max ? value : undefined
  })
}

/** Makes a kind of numbers that operators write in a larger unit than the config has. */
export function times(numbers: Kind<number>, factor: number): Kind<number> {
  return { ...numbers, read: (raw) => numbers.read(raw) * factor }
}

/** Makes a kind of texts of which a setting takes one, written exactly so. */
export function choice<const T extends string>(values: readonly T[]): Kind<T> {
  return kind(`one of ${values.join(', ')}`, (raw) => values.find((value) => value === raw))
}

export const text = textThat('any text', () => true)

export const emailAddress = textThat('an e-mail address', (raw) => /^[^@\s]+@[^@\s]+$/.test(raw))

/** A folder; a relative one counts from the folder of the call. */
export const folder = kind('a folder', (raw) => resolve(raw))

export function isHttpUrl(raw: string): boolean {
  return URL.canParse(raw) && ['http:', 'https:'].includes(new URL(raw).protocol)
}

/** An address without the slashes at its end. */
export const httpUrl = kind('an http or https address', (raw) => (isHttpUrl(raw) ? raw.replace(/\/+$/, '') : undefined))

/** An address of PostgreSQL, which has a password. */
export const postgresUrl = secret(
  textThat(
    'a postgres:// address with its password percent-encoded, and ?pooling=transaction behind a pooler that works so',
    isPostgresUrl,
  ),
)

export const networks: Kind<readonly IpNetwork[]> = listOf(
  'addresses and networks, such as 10.0.0.0/8, with commas between',
  parseNetwork,
)

export const hostAndPort: Kind<HostPort> = kind(
  'an address of this machine with a port: 10.0.0.1:9400, or [fd00::1]:9400',
  (raw) => parseHostPort(raw) ?? undefined,
)

export const hostsAndPorts: Kind<readonly HostPort[]> = listOf(
  `addresses with ports, such as 10.0.0.1:9400,10.0.0.2:9400, with commas between; ${PEERS_MAX} at most`,
  parseHostPort,
  PEERS_MAX,
)

/** Makes a kind of lists with commas. @param parse returns null for an item that is not allowed */
function listOf<T>(allowed: string, parse: (item: string) => T | null, itemsMax = Infinity): Kind<readonly T[]> {
  return kind(allowed, (raw) => {
    const items = raw.split(',').map((item) => parse(item.trim()))
    return items.includes(null) || items.length > itemsMax ? undefined : (items as T[])
  })
}
