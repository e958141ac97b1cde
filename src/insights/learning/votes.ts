/** Fewest different visitors with clicks from which learning learns. */
export const VISITORS_MIN = 20
/** Fewest different days with clicks from which learning learns. */
export const DAYS_MIN = 3

/** Click of a visitor on a day. */
export interface Vote {
  /** Name of the visitor. One person has a different name in each period. */
  readonly visitor: string
  /** Period of the visitor's salt; null for a user, whose name never changes. */
  readonly period: number | null
  /** Number of the UTC day. */
  readonly day: number
}

/** Counts different visitors and their days. Add each visitor once. */
export class Votes {
  readonly #groups = new Map<number | null, { visitors: number; readonly days: Set<number> }>()

  add({ period, day }: Vote): void {
    let group = this.#groups.get(period)
    if (group === undefined) this.#groups.set(period, (group = { visitors: 0, days: new Set() }))
    group.visitors++
    group.days.add(day)
  }

  /**
   * Whether there are enough visitors on enough days. Users count together with the visitors of one period. Visitors
   * of two periods may be the same people, so they never count together.
   */
  get areEnough(): boolean {
    return this.#together().some(({ visitors, days }) => visitors >= VISITORS_MIN && days >= DAYS_MIN)
  }

  /** Greatest number of visitors that count together, and the number of their days. */
  get most(): { readonly visitors: number; readonly days: number } {
    return this.#together().reduce((most, each) => (each.visitors > most.visitors ? each : most))
  }

  /** Returns the groups that count together: the users, and the users with the visitors of each period. */
  #together(): { readonly visitors: number; readonly days: number }[] {
    const users = this.#groups.get(null) ?? { visitors: 0, days: new Set<number>() }
    return [users, ...this.#groups.values()].map((group) => ({
      visitors: group === users ? users.visitors : users.visitors + group.visitors,
      days: users.days.union(group.days).size,
    }))
  }
}
