import type { Totals } from './words-store.ts'

const KEPT_MAX = 256
/** Totals that are estimated hold for so many changes: counting the sample again would tell hardly anything new. */
const ESTIMATE_CHANGES_MAX = 1_000

interface Kept {
  readonly totals: Totals
  readonly reached: number
}

/** How many documents callers see, for as long as nothing changes; the ones that were not used for longest go first. */
export class TotalsMemory {
  readonly #kept = new Map<string, Kept>()

  /**
   * @param key names the replica and the view
   * @param reached the last change of the replica
   */
  async get(key: string, reached: number, make: () => Promise<Totals>): Promise<Totals> {
    const held = this.#kept.get(key)
    const lasts = held?.totals.isEstimated === true ? ESTIMATE_CHANGES_MAX : 0
    const isCurrent = held !== undefined && reached >= held.reached && reached - held.reached <= lasts
    const kept = isCurrent ? held : { totals: await make(), reached }
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value!)
    return kept.totals
  }

  /** A replica that is built again may have another past. */
  forget(): void {
    this.#kept.clear()
  }
}
