import { ConfigError } from '../../config.ts'
import type { SearchPassingConfig } from '../../config/topics/search.ts'
import { type HostPort, hostPortText, isEveryAddress } from '../../platform/host-port.ts'
import type { TenantShare } from '../tenant-share.ts'

const PORT_MAX = 65_535

/** The processes of all machines that share tenants. */
export interface Members {
  /** Address on which this process listens. */
  readonly own: HostPort
  /** Addresses of the other processes. The list may have this process too, under another name than `own`. */
  readonly others: readonly HostPort[]
  /**
   * Returns this process's share of the tenants once all processes run; null while the process does not know the name
   * by which the others reach it.
   * @param holders how many processes hold each tenant
   */
  readonly shareOf: (holders: number) => TenantShare | null
}

/**
 * Returns the members of an installation, as its settings name them.
 * @param number number of this process on its machine, from 1. The process with the next number listens on the next
 *   port
 * @throws ConfigError when there is no such port
 */
export function membersOf({ listen, peers }: SearchPassingConfig, number: number): Members {
  const own = { host: listen.host, port: listen.port + number - 1 }
  if (own.port > PORT_MAX) {
    throw new ConfigError([`SEARCH_LISTEN must leave room for a port for each process, up to ${PORT_MAX}`])
  }
  const name = hostPortText(own)
  const names = new Set([name, ...peers.map(hostPortText)])
  // A process that listens on every address learns its name when it reaches itself (`PassingEngine`).
  const hasName = !isEveryAddress(listen)
  return {
    own,
    others: peers.filter((peer) => hostPortText(peer) !== name),
    shareOf: (holders) => (hasName ? { own: name, processes: [...names].toSorted(), holders } : null),
  }
}
