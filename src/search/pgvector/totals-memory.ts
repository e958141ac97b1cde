import type { Bound } from './moving-bounds.ts'
import type { Totals } from './words-store.ts'

/** Filters with other bounds, or other documents, for which totals are kept. */
const KEPT_MAX = 256
/** Totals of one filter with several bounds, such as of sites with different rules. */
const KEPT_OF_SHAPE_MAX = 4
/** Totals that are estimated hold for so many changes: counting the sample again would tell hardly anything new. */
const ESTIMATE_CHANGES_MAX = 1_000

interface Kept {
  readonly totals: Totals
  readonly reached: number
}

/**
 * How many documents callers see, for as long as nothing changes and no bound of a range has passed a document's
 * number, such as the clock the end of an entry. The filters that were not used for longest go first.
 */
export class TotalsMemory {
  readonly #kept = new Map<string, readonly Kept[]>()

  /**
   * @param shape names the replica and the view without its bounds
   * @param reached the last change of the replica
   */
  async get(shape: string, bounds: readonly Bound[], reached: number, make: () => Promise<Totals>): Promise<Totals> {
    const current = (this.#kept.get(shape) ?? []).filter((kept) => isCurrent(kept, reached))
    const found = current.find(({ totals }) => areWithin(bounds, totals))
    const used = found ?? { totals: await make(), reached }
    const others = current.filter((kept) => kept !== used)
    this.#kept.delete(shape)
    this.#kept.set(shape, [used, ...others].slice(0, KEPT_OF_SHAPE_MAX))
    if (this.#kept.size > KEPT_MAX) this.#kept.delete(this.#kept.keys().next().value!)
    return used.totals
  }

  /** A replica that is built again may have another past. */
  forget(): void {
    this.#kept.clear()
  }
}

function isCurrent(kept: Kept, reached: number): boolean {
  const lasts = kept.totals.isEstimated ? ESTIMATE_CHANGES_MAX : 0
  return reached >= kept.reached && reached - kept.reached <= lasts
}

function areWithin(bounds: readonly Bound[], { between }: Totals): boolean {
  return bounds.every(({ at }, i) => {
    const { from, to } = between[i]
    return (from === null || at >= from) && (to === null || at < to)
  })
}
