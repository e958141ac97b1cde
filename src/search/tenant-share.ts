/**
 * The share of the tenants whose indexes a process holds. Several processes can divide the tenants among themselves;
 * the processes that hold a tenant's indexes are its holders.
 */
export interface TenantShare {
  /** Name of the process: its number, or the address at which the processes of other machines reach it. */
  readonly own: string
  /** Names of all running processes, with `own`. */
  readonly processes: readonly string[]
  /** How many processes hold each tenant. */
  readonly holders: number
}

/** Tells whether the process of the share holds the tenant. */
export function holds({ own, processes, holders }: TenantShare, tenantId: string): boolean {
  return processes.length <= holders || holdersOf(tenantId, processes, holders).includes(own)
}

/**
 * Returns the names of a tenant's holders: the processes that score highest for the tenant, best first (highest random
 * weight or rendezvous hashing: Thaler and Ravishankar, "A Name-Based Mapping Scheme for Rendezvous", 1996). All
 * processes that know the same names choose the same holders without a message. When a process ends, its tenants spread
 * over the others and all other tenants stay; when the process comes back, its tenants return to it.
 * @param processes names of all running processes
 * @param count how many processes hold a tenant
 *
 * @example
 * ```ts
 * const before = holdersOf('acme', ['1', '2', '3'], 2)
 * // The second holder inherits the tenant when the first one ends.
 * const after = holdersOf('acme', ['1', '2', '3'].filter((process) => process !== before[0]), 1)
 * console.log(before[1] === after[0])
 * ```
 */
export function holdersOf(tenantId: string, processes: readonly string[], count: number): string[] {
  return processes
    .map((process) => ({ process, score: scoreOf(tenantId, process) }))
    .toSorted((one, other) => other.score - one.score || (one.process < other.process ? -1 : 1))
    .slice(0, count)
    .map(({ process }) => process)
}

/**
 * Returns the score of a process for a tenant: FNV-1a of both names, then the final mixing of MurmurHash3, because FNV
 * alone hardly mixes the last character.
 */
function scoreOf(tenantId: string, process: string): number {
  const text = `${tenantId} ${process}`
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
