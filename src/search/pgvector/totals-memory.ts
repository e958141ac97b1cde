import type { Bound } from './moving-bounds.ts'
import type { Totals } from './words-store.ts'

/** Most shapes of filters whose totals are cached. */
const SHAPES_MAX = 256
/** Most totals of one shape, for different bounds, such as those of sites with different rules. */
const TOTALS_OF_SHAPE_MAX = 4
/** Most changes after which estimated totals still hold: counting the sample again would hardly change them. */
const ESTIMATE_CHANGES_MAX = 1_000

interface CachedTotals {
  readonly totals: Totals
  readonly changes: number
}

/**
 * Caches how many documents callers see, for as long as no document changes and no bound of a range passes a document's
 * number, as the clock passes the end of an entry. The least recently used filters are dropped first.
 */
export class TotalsMemory {
  readonly #byShape = new Map<string, readonly CachedTotals[]>()

  /**
   * Returns the totals of a filter, from `make` where they are not cached.
   * @param shape text of the replica and of the filter without its bounds
   * @param changes number of changes that the replica has taken, as `ReplicaState` has it
   */
  async get(shape: string, bounds: readonly Bound[], changes: number, make: () => Promise<Totals>): Promise<Totals> {
    const current = (this.#byShape.get(shape) ?? []).filter((each) => isCurrent(each, changes))
    const cached = current.find(({ totals }) => areWithin(bounds, totals))
    const first = cached ?? { totals: await make(), changes }
    const others = current.filter((each) => each !== first)
    this.#byShape.delete(shape)
    this.#byShape.set(shape, [first, ...others].slice(0, TOTALS_OF_SHAPE_MAX))
    if (this.#byShape.size > SHAPES_MAX) this.#byShape.delete(this.#byShape.keys().next().value!)
    return first.totals
  }

  /** Forgets all totals, since a replica that is built again may have other documents at the same change number. */
  forget(): void {
    this.#byShape.clear()
  }
}

/** Tells whether totals still hold for a replica that has taken more changes. */
function isCurrent(cached: CachedTotals, changes: number): boolean {
  const changesMax = cached.totals.isEstimated ? ESTIMATE_CHANGES_MAX : 0
  return changes >= cached.changes && changes - cached.changes <= changesMax
}

/** Tells whether all bounds lie where the totals hold. */
function areWithin(bounds: readonly Bound[], { boundRanges }: Totals): boolean {
  return bounds.every(({ value }, i) => {
    const { from, to } = boundRanges[i]
    return (from === null || value >= from) && (to === null || value < to)
  })
}
