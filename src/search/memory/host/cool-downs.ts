import type { RefusalReason } from '../../engine.ts'

/** How long a refused index is not tried: the first time, and at most; the time doubles with each refusal in a row. */
const TIMES_MS: Readonly<Record<RefusalReason, readonly [first: number, most: number]>> = {
  tenant: [60_000, 16 * 60_000],
  crowded: [10_000, 60_000],
  ended: [10_000, 16 * 60_000],
}
/** If nobody searched an index for this long, its next refusal counts as the first. */
const FORGOTTEN_MS = 60 * 60_000

interface CoolDown {
  readonly reason: RefusalReason
  readonly untilMs: number
  /** Refusals in a row. */
  readonly refusals: number
}

/** Indexes that were refused and are not tried for a while. */
export class CoolDowns {
  readonly #held = new Map<string, CoolDown>()
  readonly #now: () => number

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /** Why and for how long the index is not tried; null if it may be tried. */
  of(tenantId: string, index: string): { readonly reason: RefusalReason; readonly remainingMs: number } | null {
    if (this.#held.size === 0) return null
    const held = this.#held.get(keyOf(tenantId, index))
    if (held === undefined) return null
    const remainingMs = held.untilMs - this.#now()
    return remainingMs > 0 ? { reason: held.reason, remainingMs } : null
  }

  /** Starts a cool-down. @returns false if one was already running, as for all but the first search of a refusal */
  begin(tenantId: string, index: string, reason: RefusalReason): boolean {
    if (this.of(tenantId, index) !== null) return false
    this.#forgetOld()
    const key = keyOf(tenantId, index)
    const refusals = (this.#held.get(key)?.refusals ?? 0) + 1
    const [first, most] = TIMES_MS[reason]
    const untilMs = this.#now() + Math.min(most, first * 2 ** (refusals - 1))
    this.#held.set(key, { reason, untilMs, refusals })
    return true
  }

  /** A search succeeded, so the next refusal counts as the first. */
  end(tenantId: string, index: string): void {
    if (this.#held.size > 0 && this.of(tenantId, index) === null) this.#held.delete(keyOf(tenantId, index))
  }

  /** Number of indexes that are not tried now. */
  get active(): number {
    const now = this.#now()
    let count = 0
    for (const { untilMs } of this.#held.values()) if (untilMs > now) count++
    return count
  }

  #forgetOld(): void {
    const now = this.#now()
    for (const [key, { untilMs }] of this.#held) if (now - untilMs > FORGOTTEN_MS) this.#held.delete(key)
  }
}

function keyOf(tenantId: string, index: string): string {
  return `${index} ${tenantId}`
}
