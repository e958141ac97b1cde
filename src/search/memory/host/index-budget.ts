/** Tracks the memory of all indexes and decides which one makes room when it is used up. */
import { type Replica, isIdle } from './replica.ts'
import { fits, type MemorySize, NOTHING } from '../columns/memory-size.ts'

export interface MemoryLimits {
  /** All indexes of the thread together. */
  readonly bytesMax: number
  /** All replicas of one tenant together. */
  readonly tenantBytesMax: number
  /**
   * How much of `bytesMax` may be on the thread's heap; all by default. A tenant's bound on the heap has the same
   * ratio.
   */
  readonly heapBytesMax?: number
}

/** A replica searched within this time is not dropped for a large one that uses as much. */
export const RECENT_MS = 10_000

/** A tenant whose indexes take this share of its bound is near it. */
export const TIGHT_SHARE = 0.9

/** While a tenant's indexes, or all of them, take this share of their bound, memory is short. */
export const SHORT_SHARE = 0.8

/** A large replica that was not searched for so long is dropped before small ones are paged out again and again. */
const FORGOTTEN_MS = 60_000

/** A replica with at least this share of the memory is large. It never displaces an equally large one. */
const LARGE_SHARE = 1 / 8

/**
 * The sizes of all replicas, with running sums: adding up thousands of replicas for each batch would cost more than the
 * batch itself.
 */
export class IndexBudget {
  readonly whole: MemorySize
  readonly tenant: MemorySize
  readonly #sizes = new Map<Replica, MemorySize>()
  /** What the replicas of each tenant take, with what is paged out: it may come back at any time. */
  readonly #tenants = new Map<string, MemorySize>()
  readonly #pagedOut = new Map<Replica, number>()
  readonly #shortTenants = new Set<string>()
  /** The former shares of large replicas that were dropped, by key: once rebuilt they will be as large again. */
  readonly #formerShares = new Map<string, number>()
  #held = NOTHING

  constructor({ bytesMax, tenantBytesMax, heapBytesMax = bytesMax }: MemoryLimits) {
    this.whole = { bytes: bytesMax, heapBytes: heapBytesMax }
    this.tenant = { bytes: tenantBytesMax, heapBytes: Math.floor((heapBytesMax * tenantBytesMax) / bytesMax) }
  }

  get held(): MemorySize {
    return this.#held
  }

  heldBy(tenantId: string): MemorySize {
    return this.#tenants.get(tenantId) ?? NOTHING
  }

  /**
   * Records a replica's size; `NOTHING` removes the replica.
   * @param pagedOutBytes what of it is not in memory
   */
  note(replica: Replica, size: MemorySize, pagedOutBytes = 0): void {
    const before = this.sizeOf(replica)
    const { tenantId } = replica.version
    const outBefore = this.#pagedOut.get(replica) ?? 0
    const tenant = changed(this.heldBy(tenantId), withMore(before, outBefore), withMore(size, pagedOutBytes))
    this.#held = changed(this.#held, before, size)
    if (size !== NOTHING) this.#sizes.set(replica, size)
    else if (this.#sizes.delete(replica)) this.#remember(replica, before)
    if (pagedOutBytes > 0) this.#pagedOut.set(replica, pagedOutBytes)
    else this.#pagedOut.delete(replica)
    if (tenant.bytes === 0) this.#tenants.delete(tenantId)
    else this.#tenants.set(tenantId, tenant)
    if (tenant.bytes >= SHORT_SHARE * this.tenant.bytes) this.#shortTenants.add(tenantId)
    else this.#shortTenants.delete(tenantId)
  }

  /** Records what a replica takes now. */
  measure(replica: Replica): void {
    this.note(replica, replica.index.size, replica.index.pages.pagedOutBytes)
  }

  /** Whether memory is short for all or for anybody. */
  get isShort(): boolean {
    return this.#isWholeShort || this.#shortTenants.size > 0
  }

  isShortFor(tenantId: string): boolean {
    return this.#isWholeShort || this.#shortTenants.has(tenantId)
  }

  get #isWholeShort(): boolean {
    return this.#held.bytes >= SHORT_SHARE * this.whole.bytes
  }

  fitsTenant(tenantId: string, more: MemorySize): boolean {
    return fits(this.heldBy(tenantId), more, this.tenant)
  }

  /** How much of the bound on a tenant its indexes take: of all memory or of the heap, whichever is more. */
  tenantShare(tenantId: string): number {
    const { bytes, heapBytes } = this.heldBy(tenantId)
    return Math.max(bytes / this.tenant.bytes, heapBytes / this.tenant.heapBytes)
  }

  sizeOf(replica: Replica): MemorySize {
    return this.#sizes.get(replica) ?? NOTHING
  }

  /** How much of its bound the tenant takes with `more`, or all tenants of theirs, whichever is more. Of bytes alone. */
  shareWith(tenantId: string, more: MemorySize): number {
    const own = (this.heldBy(tenantId).bytes + more.bytes) / this.tenant.bytes
    return Math.max(own, (this.#held.bytes + more.bytes) / this.whole.bytes)
  }

  fitsHeap(more: MemorySize): boolean {
    return this.#held.heapBytes + more.heapBytes <= this.whole.heapBytes
  }

  fitsWhole(more: MemorySize): boolean {
    return fits(this.#held, more, this.whole)
  }

  /**
   * The replica to drop so that another can grow. Idle ones come first, the least recently used before the others; then
   * active ones whose tenant uses more than the grower's. A replica searched in the last seconds is never dropped for a
   * large one that uses as much, or did when it was last complete: otherwise two that do not fit together would displace
   * each other for ever. Small ones take turns: were they refused, nobody would be served in their place.
   * @param now on the clock of `usedAt`
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

  /**
   * The largest replica of those that are large and that nobody has searched for a minute, other than the grower; null
   * if there is none.
   */
  forgotten(grower: Replica, now: number): Replica | null {
    let largest: Replica | null = null
    for (const [replica, size] of this.#sizes) {
      if (
        replica === grower ||
        this.#shareOf(size) < LARGE_SHARE ||
        now - replica.usedAt < FORGOTTEN_MS ||
        !isIdle(replica)
      )
        continue
      if (largest === null || size.bytes > this.sizeOf(largest).bytes) largest = replica
    }
    return largest
  }

  /** The replica that uses most of the heap among those that qualify. */
  heaviest(qualifies: (replica: Replica) => boolean): Replica | null {
    let heaviest: Replica | null = null
    for (const [replica, { heapBytes }] of this.#sizes) {
      if (qualifies(replica) && heapBytes > (this.#sizes.get(heaviest!)?.heapBytes ?? -1)) heaviest = replica
    }
    return heaviest
  }

  #remember({ key }: Replica, size: MemorySize): void {
    const share = this.#shareOf(size)
    if (share < LARGE_SHARE) this.#formerShares.delete(key)
    else this.#formerShares.set(key, share)
  }

  #weightOf({ version }: Replica): number {
    return this.#shareOf(this.heldBy(version.tenantId))
  }

  /** The share of all memory or of the heap, whichever is larger. */
  #shareOf({ bytes, heapBytes }: MemorySize): number {
    return Math.max(bytes / this.whole.bytes, heapBytes / this.whole.heapBytes)
  }
}

function withMore({ bytes, heapBytes }: MemorySize, more: number): MemorySize {
  return { bytes: bytes + more, heapBytes }
}

function changed(sum: MemorySize, before: MemorySize, after: MemorySize): MemorySize {
  return {
    bytes: sum.bytes - before.bytes + after.bytes,
    heapBytes: sum.heapBytes - before.heapBytes + after.heapBytes,
  }
}
