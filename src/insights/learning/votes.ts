/** What learning asks for before it listens: so many different visitors, on so many different days. */
export const VISITORS_MIN = 20
export const DAYS_MIN = 3

/** Whose word it is, and when it was given. */
export interface Vote {
  /** Unlike that of everybody else, but for visitors of other periods: one person has a name in each. */
  readonly visitor: string
  /** The period of the visitor's salt; null for a user, who has one name for good. */
  readonly period: number | null
  /** Number of the UTC day. */
  readonly day: number
}

/** Counts visitors that can be told apart. Each is to be added once. */
export class Votes {
  readonly #groups = new Map<number | null, { visitors: number; readonly days: Set<number> }>()

  add({ period, day }: Vote): void {
    let group = this.#groups.get(period)
    if (group === undefined) this.#groups.set(period, (group = { visitors: 0, days: new Set() }))
    group.visitors++
    group.days.add(day)
  }

  /**
   * Whether they are many and on several days, the users together with the visitors of one period. Visitors of two
   * periods may be the same people, so these are never counted together.
   */
  get areEnough(): boolean {
    const users = this.#groups.get(null) ?? { visitors: 0, days: new Set<number>() }
    return [users, ...this.#groups.values()].some((group) => {
      const visitors = group === users ? users.visitors : users.visitors + group.visitors
      return visitors >= VISITORS_MIN && users.days.union(group.days).size >= DAYS_MIN
    })
  }
}
