import type { Plan } from './search.ts'
import type { ScoreBounds } from './score-bounds.ts'
import { exactSimilarities } from './similarity.ts'
import type { VectorMemory } from './vector-column.ts'

/** Documents of one search with their exact scores, as columns: thousands of ties must cost little. */
export class Candidates {
  readonly parts: Uint32Array
  readonly slots: Uint32Array
  readonly similarities: Float64Array
  /** The row of the best passage; -1 where there is none or no cosine was computed. */
  readonly rows: Int32Array
  readonly scores: Float64Array
  readonly #plan: Plan

  /** @param places ascending, as `bounds` lays them out */
  constructor(plan: Plan, bounds: ScoreBounds, places: Uint32Array, memory: VectorMemory) {
    const { length } = places
    this.#plan = plan
    this.parts = new Uint32Array(length)
    this.slots = new Uint32Array(length)
    this.similarities = new Float64Array(length)
    this.rows = new Int32Array(length).fill(-1)
    this.scores = new Float64Array(length)
    // In keyword mode the cosine decides nothing; it is computed for the hits alone.
    const needsCosine = plan.request.mode !== 'keyword' || plan.request.minSimilarity !== null
    for (let from = 0, part = 0; from < length; part++) {
      const end = bounds.bases[part + 1] ?? Infinity
      let to = from
      for (; to < length && places[to] < end; to++) {
        this.parts[to] = part
        this.slots[to] = places[to] - bounds.bases[part]
      }
      if (needsCosine) this.#computeExact(part, from, to, memory)
      this.#score(part, from, to)
      from = to
    }
  }

  get length(): number {
    return this.slots.length
  }

  /** All of them, as numbers for `compare`. */
  all(): Uint32Array {
    const all = new Uint32Array(this.length)
    for (let i = 0; i < all.length; i++) all[i] = i
    return all
  }

  groupOf(candidate: number): number {
    return this.#plan.parts[this.parts[candidate]].segment.groups[this.slots[candidate]]
  }

  /** Computes the cosine of one candidate that has none yet. */
  complete(candidate: number, memory: VectorMemory): void {
    if (this.rows[candidate] < 0) this.#computeExact(this.parts[candidate], candidate, candidate + 1, memory)
  }

  /** Ranking order: score descending, newest change, id ascending. */
  readonly compare = (a: number, b: number): number => {
    const higher = this.scores[b] - this.scores[a]
    if (higher !== 0) return higher
    const left = this.#plan.parts[this.parts[a]].segment
    const right = this.#plan.parts[this.parts[b]].segment
    const newer = right.changedAt[this.slots[b]] - left.changedAt[this.slots[a]]
    if (newer !== 0) return newer
    const idA = left.ids[this.slots[a]]
    const idB = right.ids[this.slots[b]]
    return idA < idB ? -1 : Number(idA > idB)
  }

  #computeExact(part: number, from: number, to: number, memory: VectorMemory): void {
    const { vector, parts } = this.#plan
    if (vector === null || from === to) return
    const slots = this.slots.subarray(from, to)
    const similarities = this.similarities.subarray(from, to)
    exactSimilarities(memory, parts[part].segment, slots, vector, similarities, this.rows.subarray(from, to))
  }

  #score(part: number, from: number, to: number): void {
    const { request, keyword, statistics, addends } = this.#plan
    const own = addends?.parts[part]
    for (let i = from; i < to; i++) {
      const similarity = this.similarities[i]
      if (request.mode === 'semantic') this.scores[i] = similarity
      else if (request.mode === 'keyword') this.scores[i] = keyword![part].scores[this.slots[i]]
      else {
        const bm25 = keyword![part].scores[this.slots[i]]
        this.scores[i] = coverage(bm25, statistics!.whole) + request.vectorWeight * similarity
      }
      if (own !== undefined) this.scores[i] += own.get(this.slots[i])?.sum ?? 0
    }
  }
}

/** The share of the query's worth that a document covers, 0 to 1. */
export function coverage(bm25: number, whole: number): number {
  return whole > 0 ? bm25 / whole : 0
}
