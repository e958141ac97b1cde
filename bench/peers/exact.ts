/** Computes the exact answers that recall is measured against: every entry is compared with every query. */
import { type Collection, type Filter, passes } from './collection.ts'
import { HITS } from './engine.ts'

/**
 * Difference of similarities that counts as equal. Equal vectors may come in any order, and engines add in another
 * order than this module.
 */
const TOLERANCE = 1e-5

/** The tenth best similarity, and the number of hits, at most ten. */
interface Bound {
  readonly least: number
  readonly count: number
}

export class ExactAnswers {
  readonly #collection: Collection
  readonly #filters: readonly (readonly (Filter | null)[])[]
  readonly #tenants: number
  readonly #vectors: readonly Float32Array[]
  /** Bounds for each query and each of its filters. */
  readonly #bounds: readonly (readonly Bound[])[]

  /**
   * Compares every entry with every query.
   * @param filters of each query
   * @param tenants number of tenants that the entries belong to in turns
   */
  constructor(
    collection: Collection,
    queries: readonly string[],
    filters: readonly (readonly (Filter | null)[])[],
    tenants: number,
  ) {
    this.#collection = collection
    this.#filters = filters
    this.#tenants = tenants
    this.#vectors = queries.map((words) => collection.queryVector(words))
    const best = filters.map((each) => each.map((): number[] => []))
    for (let entry = 0; entry < collection.entries.length; entry++) {
      const vector = collection.vectorOf(entry)
      for (const [q, lists] of best.entries()) {
        const passed = lists.filter((_, f) => passes(filters[q][f], entry, tenants))
        if (passed.length === 0) continue
        const similarity = dot(vector, this.#vectors[q])
        for (const list of passed) keep(list, similarity)
      }
    }
    this.#bounds = best.map((lists) => lists.map((list) => ({ least: list.at(-1) ?? 0, count: list.length })))
  }

  /**
   * Returns the share of right hits among those that there should be, over the answers of all queries in order.
   * @param filter number of the filter among those of each query
   */
  recall(filter: number, answers: readonly (readonly number[])[]): number {
    let right = 0
    let all = 0
    for (const [q, answer] of answers.entries()) {
      const { least, count } = this.#bounds[q][filter]
      const isRight = (entry: number): boolean =>
        passes(this.#filters[q][filter], entry, this.#tenants) &&
        dot(this.#collection.vectorOf(entry), this.#vectors[q]) >= least - TOLERANCE
      right += Math.min(count, [...new Set(answer)].filter(isRight).length)
      all += count
    }
    return right / all
  }
}

/** Adds a value to a list of the ten largest, the largest first. */
function keep(list: number[], value: number): void {
  if (list.length === HITS && value <= list[HITS - 1]) return
  let at = Math.min(list.length, HITS - 1)
  while (at > 0 && list[at - 1] < value) {
    list[at] = list[at - 1]
    at--
  }
  list[at] = value
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}
