/** Who holds how much of the memory for indexes, and who gives way when it is used up. */
import { type Copy, isIdle } from './index-copy.ts'
import { fits, type MemorySize, NOTHING } from './memory-size.ts'

export interface MemoryLimits {
  /** All indexes of the thread together. */
  readonly bytesMax: number
  /** All copies of one tenant together. */
  readonly tenantBytesMax: number
  /** What of `bytesMax` may lie on the thread's heap; all of it unless said. A tenant has its share of that too. */
  readonly heapBytesMax?: number
}

/** A copy that was searched within this time is kept from whoever holds more. */
export const RECENT_MS = 10_000

/** A copy of this share is large: it does not push out its like, however little of it is built yet. */
const LARGE_SHARE = 1 / 8

/**
 * The sizes of all copies, with their sums at hand: adding up thousands of copies for every batch would cost more than
 * it.
 */
export class IndexBudget {
  readonly whole: MemorySize
  readonly tenant: MemorySize
  readonly #sizes = new Map<Copy, MemorySize>()
  readonly #tenants = new Map<string, MemorySize>()
  /** Of large copies that went, the share they had: built anew they are as large again. By key. */
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

  /** Takes note of a copy's size; `NOTHING` forgets it. */
  note(copy: Copy, size: MemorySize): void {
    const before = this.#sizes.get(copy) ?? NOTHING
    const { tenantId } = copy.version
    const tenant = changed(this.heldBy(tenantId), before, size)
    this.#held = changed(this.#held, before, size)
    if (size !== NOTHING) this.#sizes.set(copy, size)
    else if (this.#sizes.delete(copy)) this.#remember(copy, before)
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
   * The copy that makes room for one that grows. Idle ones go first, the least recently used before the others; then
   * those at work whose tenant holds more than the grower's. A copy searched within the last seconds is never taken
   * for a tenant that holds more, nor for a large one that holds as much, or did when it last had all of its index: two
   * that do not fit together would push each other out for ever.
   * @param now on the clock of `usedAt`
   * @returns null when the grower itself has to give way
   */
  victim(grower: Copy, now: number): Copy | null {
    const own = Math.max(this.#weightOf(grower), this.#formerShares.get(grower.key) ?? 0)
    let idle: Copy | null = null
    let busy: Copy | null = null
    for (const copy of this.#sizes.keys()) {
      if (copy === grower) continue
      const weight = this.#weightOf(copy)
      const isHeavier = own < LARGE_SHARE ? weight >= own : weight > own
      if (isIdle(copy)) {
        const mayGo = isHeavier || now - copy.usedAt > RECENT_MS
        if (mayGo && (idle === null || copy.lastUsed < idle.lastUsed)) idle = copy
      } else if (weight > own && (busy === null || weight > this.#weightOf(busy))) busy = copy
    }
    return idle ?? busy
  }

  /** The copy that takes most of the heap, among those that `qualifies` takes. */
  heaviest(qualifies: (copy: Copy) => boolean): Copy | null {
    let heaviest: Copy | null = null
    for (const [copy, { heapBytes }] of this.#sizes) {
      if (qualifies(copy) && heapBytes > (this.#sizes.get(heaviest!)?.heapBytes ?? -1)) heaviest = copy
    }
    return heaviest
  }

  #remember({ key }: Copy, size: MemorySize): void {
    const share = this.#shareOf(size)
    if (share < LARGE_SHARE) this.#formerShares.delete(key)
    else this.#formerShares.set(key, share)
  }

  #weightOf({ version }: Copy): number {
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
