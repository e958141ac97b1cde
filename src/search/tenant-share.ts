/** Which tenants' indexes a process holds. */
export interface TenantShare {
  /** The process's name: its number, or the address at which the processes of other machines reach it. */
  readonly own: string
  /** Names of all processes that there are, its own among them. */
  readonly processes: readonly string[]
  /** How many processes hold a tenant. */
  readonly holders: number
}

export function holds({ own, processes, holders }: TenantShare, tenantId: string): boolean {
  return processes.length <= holders || holdersOf(tenantId, processes, holders).includes(own)
}

/**
 * The processes that hold a tenant's indexes: those that score highest for the tenant, best first (highest random weight
 * or rendezvous hashing: Thaler and Ravishankar, "A Name-Based Mapping Scheme for Rendezvous", 1996). Everybody who
 * knows the same processes names the same holders, without asking anybody. When a process goes, its tenants spread over
 * the others and all other tenants stay; when it comes back, so do they.
 * @param processes names of the processes that are there
 * @param count how many hold a tenant
 */
export function holdersOf(tenantId: string, processes: readonly string[], count: number): string[] {
  return processes
    .map((process) => ({ process, score: scoreOf(tenantId, process) }))
    .toSorted((one, other) => other.score - one.score || (one.process < other.process ? -1 : 1))
    .slice(0, count)
    .map(({ process }) => process)
}

/** FNV-1a of tenant and process, then the final mixing of MurmurHash3: FNV alone hardly mixes the last character. */
function scoreOf(tenantId: string, process: string): number {
  const text = `${tenantId} ${process}`
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
