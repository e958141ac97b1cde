/** Who holds how much of the memory for indexes, and who gives way when it is used up. */
import { type Replica, isIdle } from './replica.ts'
import { fits, type MemorySize, NOTHING } from './memory-size.ts'

export interface MemoryLimits {
  /** All indexes of the thread together. */
  readonly bytesMax: number
  /** All replicas of one tenant together. */
  readonly tenantBytesMax: number
  /** What of `bytesMax` may lie on the thread's heap; all of it unless said. A tenant has its share of that too. */
  readonly heapBytesMax?: number
}

/** A replica that was searched within this time is kept from whoever holds more. */
export const RECENT_MS = 10_000

/** A replica of this share is large: it does not push out its like, however little of it is built yet. */
const LARGE_SHARE = 1 / 8

/**
 * The sizes of all replicas, with their sums at hand: adding up thousands of replicas for every batch would cost more than
 * it.
 */
export class IndexBudget {
  readonly whole: MemorySize
  readonly tenant: MemorySize
  readonly #sizes = new Map<Replica, MemorySize>()
  readonly #tenants = new Map<string, MemorySize>()
  /** Of large replicas that went, the share they had: built anew they are as large again. By key. */
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

  /** Takes note of a replica's size; `NOTHING` forgets it. */
  note(replica: Replica, size: MemorySize): void {
    const before = this.#sizes.get(replica) ?? NOTHING
    const { tenantId } = replica.version
    const tenant = changed(this.heldBy(tenantId), before, size)
    this.#held = changed(this.#held, before, size)
    if (size !== NOTHING) this.#sizes.set(replica, size)
    else if (this.#sizes.delete(replica)) this.#remember(replica, before)
    if (tenant.bytes === 0) this.#tenants.delete(tenantId)
    else this.#tenants.set(tenantId, tenant)
  }

  fitsTenant(tenantId: string, more: MemorySize): boolean {
    return fits(this.heldBy(tenantId), more, this.tenant)
  }

  fitsWhole(more: MemorySize): boolean {
    return fits(this.#held, more, this.whole)
  }

  /**
   * The replica that makes room for one that grows. Idle ones go first, the least recently used before the others; then
   * those at work whose tenant holds more than the grower's. A replica searched within the last seconds is never taken
   * for a tenant that holds more, nor for a large one that holds as much, or did when it last had all of its index: two
   * that do not fit together would push each other out for ever.
   * @param now on the clock of `usedAt`
   * @returns null when the grower itself has to give way
   */
  victim(grower: Replica, now: number): Replica | null {
    const own = Math.max(this.#weightOf(grower), this.#formerShares.get(grower.key) ?? 0)
    let idle: Replica | null = null
    let busy: Replica | null = null
    for (const replica of this.#sizes.keys()) {
      if (replica === grower) continue
      const weight = this.#weightOf(replica)
      const isHeavier = own < LARGE_SHARE ? weight >= own : weight > own
      if (isIdle(replica)) {
        const mayGo = isHeavier || now - replica.usedAt > RECENT_MS
        if (mayGo && (idle === null || replica.lastUsed < idle.lastUsed)) idle = replica
      } else if (weight > own && (busy === null || weight > this.#weightOf(busy))) busy = replica
    }
    return idle ?? busy
  }

  /** The replica that takes most of the heap, among those that `qualifies` takes. */
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

  /** Of all memory or of the heap, whichever is scarcer. */
  #shareOf({ bytes, heapBytes }: MemorySize): number {
    return Math.max(bytes / this.whole.bytes, heapBytes / this.whole.heapBytes)
  }
}

function changed(sum: MemorySize, before: MemorySize, after: MemorySize): MemorySize {
  return {
    bytes: sum.bytes - before.bytes + after.bytes,
    heapBytes: sum.heapBytes - before.heapBytes + after.heapBytes,
  }
}
