import { isCounting } from './counting.ts'
import { hybridScore } from '../../ranking/hybrid-score.ts'
import { hasBit } from '../columns/bitset.ts'
import type { Plan } from './search.ts'
import type { ScoreBounds } from './score-bounds.ts'
import { exactSimilarities } from './similarity.ts'
import type { VectorMemory } from '../columns/vector-column.ts'

/** Documents of one search with their exact scores, stored as columns so that thousands of ties stay cheap. */
export class Candidates {
  readonly parts: number[] = []
  readonly slots: number[] = []
  readonly similarities: number[] = []
  /** The row of the best passage; -1 if there is none or no cosine was computed. */
  readonly rows: number[] = []
  readonly scores: number[] = []
  readonly #plan: Plan
  readonly #bounds: ScoreBounds
  readonly #memory: VectorMemory
  readonly #weight: number

  /** @param weight of the cosine in the hybrid score */
  constructor(plan: Plan, bounds: ScoreBounds, memory: VectorMemory, weight: number) {
    this.#plan = plan
    this.#bounds = bounds
    this.#memory = memory
    this.#weight = weight
  }

  /** @param places ascending, numbered as in `bounds` */
  add(places: Uint32Array): void {
    const { bases } = this.#bounds
    // In keyword mode the cosine does not affect the ranking, so only hits get one.
    const needsCosine = this.#plan.request.mode !== 'keyword' || this.#plan.request.minSimilarity !== null
    for (let i = 0, part = 0; i < places.length; part++) {
      const end = bases[part + 1] ?? Infinity
      const from = this.length
      for (; i < places.length && places[i] < end; i++) {
        this.parts.push(part)
        this.slots.push(places[i] - bases[part])
        this.similarities.push(0)
        this.rows.push(-1)
      }
      if (needsCosine) this.#computeExact(part, from, this.length)
      this.#score(part, from)
    }
  }

  get length(): number {
    return this.slots.length
  }

  /** The numbers of all candidates, to be sorted by `compare`. */
  all(): Uint32Array {
    const all = new Uint32Array(this.length)
    for (let i = 0; i < all.length; i++) all[i] = i
    return all
  }

  groupOf(candidate: number): number {
    return this.#plan.parts[this.parts[candidate]].segment.groups[this.slots[candidate]]
  }

  /** Computes the cosine of a candidate that has none yet. */
  complete(candidate: number): void {
    if (this.rows[candidate] < 0) this.#computeExact(this.parts[candidate], candidate, candidate + 1)
  }

  /** Ranking order: what the request sorts by, then score descending, then newest change, then id ascending. */
  readonly compare = (a: number, b: number): number => {
    const { order } = this.#plan
    if (order !== null) {
      const ordered = order.compare(this.parts[a], this.slots[a], this.parts[b], this.slots[b])
      if (ordered !== 0) return ordered
    }
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

  #computeExact(part: number, from: number, to: number): void {
    const { direction, parts } = this.#plan
    if (direction === null || from === to) return
    const slots = this.slots.slice(from, to)
    exactSimilarities(this.#memory, parts[part].segment, slots, direction, this.similarities, this.rows, from)
  }

  #score(part: number, from: number): void {
    const { request, parts, keyword, statistics, pins, raises, allWords, names, shares } = this.#plan
    const own = pins?.parts[part]
    const raised = raises?.sums[part]
    const complete = allWords?.complete[part]
    const matches = names?.matches[part]
    // Nobody sees scores of what is only counted, and its words may not be scored.
    if (isCounting(request)) return
    for (let i = from; i < this.length; i++) {
      const slot = this.slots[i]
      const similarity = this.similarities[i]
      let score = similarity
      if (request.mode === 'keyword') score = keyword![part].scores[slot]
      else if (request.mode === 'hybrid') {
        const share = shares === null ? 0 : shares[parts[part].segment.partitionAt(slot)]
        score = hybridScore(coverage(keyword![part].scores[slot], statistics!.whole), similarity, this.#weight, share)
      }
      if (raised !== undefined) score += raised[slot]
      if (complete !== undefined && hasBit(complete, slot)) score += allWords!.bonus
      if (matches !== undefined) score += names!.step * matches[slot]
      this.scores.push(own?.has(slot) ? score + pins!.bonus : score)
    }
  }
}

/** The share of the query's worth that a document covers, 0 to 1. */
export function coverage(bm25: number, whole: number): number {
  return whole > 0 ? bm25 / whole : 0
}
