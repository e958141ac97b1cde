import { ConfigError, type SearchPassingConfig } from '../../config.ts'
import { type HostPort, hostPortText, isEveryAddress } from '../../platform/host-port.ts'
import type { TenantShare } from '../tenant-share.ts'

const PORT_MAX = 65_535

/** The processes of all machines that share tenants. */
export interface Members {
  /** Where this process listens. */
  readonly own: HostPort
  /** Those that are named; this one may be among them under another name than `own`. */
  readonly others: readonly HostPort[]
  /** The tenants that this process holds once all are there; null where it does not know yet what the others call it. */
  readonly shareOf: (holders: number) => TenantShare | null
}

/**
 * @param number of this process on its machine, from 1; the next one listens on the next port
 * @throws ConfigError when there is no such port
 */
export function membersOf({ listen, peers }: SearchPassingConfig, number: number): Members {
  const own = { host: listen.host, port: listen.port + number - 1 }
  if (own.port > PORT_MAX) {
    throw new ConfigError([`SEARCH_LISTEN must leave room for a port for each process, up to ${PORT_MAX}`])
  }
  const name = hostPortText(own)
  const names = new Set([name, ...peers.map(hostPortText)])
  const isNameKnown = !isEveryAddress(listen)
  return {
    own,
    others: peers.filter((peer) => hostPortText(peer) !== name),
    shareOf: (holders) => (isNameKnown ? { own: name, processes: [...names].toSorted(), holders } : null),
  }
}
