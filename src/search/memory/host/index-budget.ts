/** Tracks the memory of all indexes, and decides which index makes room when memory is used up. */
import { type Replica, isIdle } from './replica.ts'
import { fits, type MemorySize, NOTHING } from '../columns/memory-size.ts'

export interface MemoryLimits {
  /** Bytes that all indexes of the thread may use together. */
  readonly bytesMax: number
  /** Bytes that all replicas of one tenant may use together. */
  readonly tenantBytesMax: number
  /** Bytes of `bytesMax` that may be on the thread's heap; all by default. Each tenant's bound has the same ratio. */
  readonly heapBytesMax?: number
}

/** Milliseconds after a search in which a replica is not dropped for a large one that uses no more memory. */
export const RECENT_MS = 10_000

/** Share of a tenant's bound from which on its indexes count as near the bound. */
export const TIGHT_SHARE = 0.9

/** Share of the bound on a tenant, or on all indexes, from which on memory is short. */
export const SHORT_SHARE = 0.8

/** Milliseconds without a search after which a large replica is dropped before small ones are paged out. */
const UNUSED_MS = 60_000

/** Share of all memory from which on a replica is large. A large replica never displaces an equally large one. */
const LARGE_SHARE = 1 / 8

/**
 * The sizes of all replicas, with running sums: adding up thousands of replicas for each batch would cost more than the
 * batch itself.
 */
export class IndexBudget {
  /** Bound on all replicas. */
  readonly whole: MemorySize
  /** Bound on the replicas of each tenant. */
  readonly tenant: MemorySize
  readonly #sizes = new Map<Replica, MemorySize>()
  /** Size of the replicas of each tenant, including their paged-out parts, which may come back at any time. */
  readonly #tenants = new Map<string, MemorySize>()
  /** Bytes of each replica's paged-out parts. */
  readonly #pagedOut = new Map<Replica, number>()
  /** Tenants whose memory is short. */
  readonly #shortTenants = new Set<string>()
  /** The former shares of large replicas that were dropped, by key: a rebuilt replica will be as large again. */
  readonly #formerShares = new Map<string, number>()
  #size = NOTHING

  constructor({ bytesMax, tenantBytesMax, heapBytesMax = bytesMax }: MemoryLimits) {
    this.whole = { bytes: bytesMax, heapBytes: heapBytesMax }
    this.tenant = { bytes: tenantBytesMax, heapBytes: Math.floor((heapBytesMax * tenantBytesMax) / bytesMax) }
  }

  /** Memory of all replicas. */
  get size(): MemorySize {
    return this.#size
  }

  /** Returns the size of a tenant's replicas, including their paged-out parts. */
  sizeOfTenant(tenantId: string): MemorySize {
    return this.#tenants.get(tenantId) ?? NOTHING
  }

  /** The sizes of all tenants' replicas that have any, including their paged-out parts. */
  get tenantSizes(): ReadonlyMap<string, MemorySize> {
    return this.#tenants
  }

  /**
   * Records a replica's size; `NOTHING` removes the replica.
   * @param pagedOutBytes bytes of the replica's paged-out parts, which `size` does not include
   */
  note(replica: Replica, size: MemorySize, pagedOutBytes = 0): void {
    const before = this.sizeOf(replica)
    const { tenantId } = replica.version
    const pagedOutBefore = this.#pagedOut.get(replica) ?? 0
    const tenant = changed(this.sizeOfTenant(tenantId), withMore(before, pagedOutBefore), withMore(size, pagedOutBytes))
    this.#size = changed(this.#size, before, size)
    if (size !== NOTHING) this.#sizes.set(replica, size)
    else if (this.#sizes.delete(replica)) this.#remember(replica, before)
    if (pagedOutBytes > 0) this.#pagedOut.set(replica, pagedOutBytes)
    else this.#pagedOut.delete(replica)
    if (tenant.bytes === 0) this.#tenants.delete(tenantId)
    else this.#tenants.set(tenantId, tenant)
    if (tenant.bytes >= SHORT_SHARE * this.tenant.bytes) this.#shortTenants.add(tenantId)
    else this.#shortTenants.delete(tenantId)
  }

  /** Measures a replica and records its size. */
  measure(replica: Replica): void {
    const { index, awaited } = replica
    const { bytes, heapBytes } = index.size
    const size = { bytes: bytes + awaited.heapBytes, heapBytes: heapBytes + awaited.heapBytes }
    this.note(replica, size, index.pages.pagedOutBytes)
  }

  /** Whether memory is short for all indexes, or for those of some tenant. */
  get isShort(): boolean {
    return this.#isWholeShort || this.#shortTenants.size > 0
  }

  /** Tells whether memory is short for all indexes, or for those of this tenant. */
  isShortFor(tenantId: string): boolean {
    return this.#isWholeShort || this.#shortTenants.has(tenantId)
  }

  get #isWholeShort(): boolean {
    return this.#size.bytes >= SHORT_SHARE * this.whole.bytes
  }

  /** Tells whether a tenant's bound has room for `more`. */
  fitsTenant(tenantId: string, more: MemorySize): boolean {
    return fits(this.sizeOfTenant(tenantId), more, this.tenant)
  }

  /**
   * Returns the bytes by which a tenant's bound would be exceeded with `more`, of all memory or of the heap; 0 or less
   * where there is room.
   */
  lackOf(tenantId: string, more: MemorySize): number {
    const { bytes, heapBytes } = this.sizeOfTenant(tenantId)
    const heapLack = heapBytes + more.heapBytes - this.tenant.heapBytes
    return Math.max(bytes + more.bytes - this.tenant.bytes, heapLack)
  }

  /** Returns the bytes that a tenant's indexes may grow by until they take this share of the bound on them. */
  roomBelow(tenantId: string, share: number): number {
    const { bytes, heapBytes } = this.sizeOfTenant(tenantId)
    return Math.min(share * this.tenant.bytes - bytes, share * this.tenant.heapBytes - heapBytes)
  }

  /** Returns the share of a tenant's bound that its indexes take: of all memory or of the heap, whichever is more. */
  tenantShare(tenantId: string): number {
    const { bytes, heapBytes } = this.sizeOfTenant(tenantId)
    return Math.max(bytes / this.tenant.bytes, heapBytes / this.tenant.heapBytes)
  }

  /** Returns the recorded size of a replica. */
  sizeOf(replica: Replica): MemorySize {
    return this.#sizes.get(replica) ?? NOTHING
  }

  /**
   * Returns the share of the bytes of a bound that would be taken with `more`: of the tenant's bound or of the bound on
   * all indexes, whichever share is more.
   */
  shareWith(tenantId: string, more: MemorySize): number {
    const own = (this.sizeOfTenant(tenantId).bytes + more.bytes) / this.tenant.bytes
    return Math.max(own, (this.#size.bytes + more.bytes) / this.whole.bytes)
  }

  /** Tells whether the bound on the heap has room for `more`. */
  fitsHeap(more: MemorySize): boolean {
    return this.#size.heapBytes + more.heapBytes <= this.whole.heapBytes
  }

  /** Tells whether the bounds on all memory and on the heap have room for `more`. */
  fitsWhole(more: MemorySize): boolean {
    return fits(this.#size, more, this.whole)
  }

  /**
   * Returns the replica to drop so that `grower` can grow: the least recently used idle one, else the busy one whose
   * tenant uses most, if that is more than the grower's tenant uses. A replica that was searched in the last seconds is
   * never dropped for a large one that uses as much, or did so when it was last complete: otherwise two large replicas
   * that do not fit together would displace each other for ever. Small replicas take turns, since refusing one would
   * serve no other tenant.
   * @param now time on the clock of `usedAt`
   * @returns null when the grower itself must be given up
   */
  victim(grower: Replica, now: number): Replica | null {
    const own = Math.max(this.#weightOf(grower), this.#formerShares.get(grower.key) ?? 0)
    let idle: Replica | null = null
    let busy: Replica | null = null
    for (const replica of this.#sizes.keys()) {
      if (replica === grower) continue
      const weight = this.#weightOf(replica)
      if (isIdle(replica)) {
        const mayGo = own < LARGE_SHARE || weight > own || now - replica.usedAt > RECENT_MS
        if (mayGo && (idle === null || replica.lastUsed < idle.lastUsed)) idle = replica
      } else if (weight > own && (busy === null || weight > this.#weightOf(busy))) busy = replica
    }
    return idle ?? busy
  }

  /** Returns the largest idle replica, other than `grower`, that is large and unused for a minute; null without one. */
  largestUnused(grower: Replica, now: number): Replica | null {
    let largest: Replica | null = null
    for (const [replica, size] of this.#sizes) {
      if (
        replica === grower ||
        this.#shareOf(size) < LARGE_SHARE ||
        now - replica.usedAt < UNUSED_MS ||
        !isIdle(replica)
      )
        continue
      if (largest === null || size.bytes > this.sizeOf(largest).bytes) largest = replica
    }
    return largest
  }

  /** Returns the replica that uses most of the heap among those that qualify; null without one. */
  heaviest(qualifies: (replica: Replica) => boolean): Replica | null {
    let heaviest: Replica | null = null
    for (const [replica, { heapBytes }] of this.#sizes) {
      if (qualifies(replica) && heapBytes > (this.#sizes.get(heaviest!)?.heapBytes ?? -1)) heaviest = replica
    }
    return heaviest
  }

  /** Records the share of a replica that was dropped. One that was not built yet had not reached its size. */
  #remember({ key, isBuilt }: Replica, size: MemorySize): void {
    const former = isBuilt ? 0 : (this.#formerShares.get(key) ?? 0)
    const share = Math.max(former, this.#shareOf(size))
    if (share < LARGE_SHARE) this.#formerShares.delete(key)
    else this.#formerShares.set(key, share)
  }

  /** Returns the share of memory that the replicas of a replica's tenant use. */
  #weightOf({ version }: Replica): number {
    return this.#shareOf(this.sizeOfTenant(version.tenantId))
  }

  /** Returns the share of all memory or of the heap, whichever is larger. */
  #shareOf({ bytes, heapBytes }: MemorySize): number {
    return Math.max(bytes / this.whole.bytes, heapBytes / this.whole.heapBytes)
  }
}

function withMore({ bytes, heapBytes }: MemorySize, more: number): MemorySize {
  return { bytes: bytes + more, heapBytes }
}

/** Returns a sum in which one member changed from `before` to `after`. */
function changed(sum: MemorySize, before: MemorySize, after: MemorySize): MemorySize {
  return {
    bytes: sum.bytes - before.bytes + after.bytes,
    heapBytes: sum.heapBytes - before.heapBytes + after.heapBytes,
  }
}
