import type { RefusalReason } from '../../engine.ts'

/**
 * Milliseconds of a cool-down by reason: of the first one, and at most. The time doubles with each refusal in a row.
 */
const TIMES_MS: Readonly<Record<RefusalReason, readonly [first: number, most: number]>> = {
  tenant: [60_000, 16 * 60_000],
  crowded: [10_000, 60_000],
  ended: [10_000, 16 * 60_000],
}
/** Milliseconds after the end of a cool-down from which the next refusal counts as the first one. */
const FORGOTTEN_MS = 60 * 60_000

/** An index that is not tried for a while. */
export interface PausedIndex {
  readonly tenantId: string
  readonly index: string
  readonly remainingMs: number
}

interface CoolDown {
  readonly tenantId: string
  readonly index: string
  readonly reason: RefusalReason
  readonly untilMs: number
  /** Refusals in a row. */
  readonly refusals: number
}

/** The cool-downs of indexes: after a refusal an index is not tried for a while. */
export class CoolDowns {
  readonly #coolDowns = new Map<string, CoolDown>()
  readonly #now: () => number

  /** @param now clock in milliseconds */
  constructor(now = (): number => performance.now()) {
    this.#now = now
  }

  /** Returns the reason and the remaining time of an index's cool-down; null if the index may be tried. */
  of(tenantId: string, index: string): { readonly reason: RefusalReason; readonly remainingMs: number } | null {
    if (this.#coolDowns.size === 0) return null
    const coolDown = this.#coolDowns.get(keyOf(tenantId, index))
    if (coolDown === undefined) return null
    const remainingMs = coolDown.untilMs - this.#now()
    return remainingMs > 0 ? { reason: coolDown.reason, remainingMs } : null
  }

  /** Starts a cool-down. @returns false if one is running, as for all but the first search of a refusal */
  begin(tenantId: string, index: string, reason: RefusalReason): boolean {
    if (this.of(tenantId, index) !== null) return false
    this.#forgetOld()
    const key = keyOf(tenantId, index)
    const refusals = (this.#coolDowns.get(key)?.refusals ?? 0) + 1
    const [first, most] = TIMES_MS[reason]
    const untilMs = this.#now() + Math.min(most, first * 2 ** (refusals - 1))
    this.#coolDowns.set(key, { tenantId, index, reason, untilMs, refusals })
    return true
  }

  /** Forgets earlier refusals of an index, because a search of it succeeded. A running cool-down goes on. */
  end(tenantId: string, index: string): void {
    if (this.#coolDowns.size > 0 && this.of(tenantId, index) === null) this.#coolDowns.delete(keyOf(tenantId, index))
  }

  /** The indexes whose cool-downs run. */
  get active(): readonly PausedIndex[] {
    const now = this.#now()
    const running = [...this.#coolDowns.values()].filter(({ untilMs }) => untilMs > now)
    return running.map(({ tenantId, index, untilMs }) => ({ tenantId, index, remainingMs: untilMs - now }))
  }

  #forgetOld(): void {
    const now = this.#now()
    for (const [key, { untilMs }] of this.#coolDowns) if (now - untilMs > FORGOTTEN_MS) this.#coolDowns.delete(key)
  }
}

function keyOf(tenantId: string, index: string): string {
  return `${index} ${tenantId}`
}
