import { isCounting } from './counting.ts'
import { hybridScore } from '../../ranking/hybrid-score.ts'
import { hasBit } from '../columns/bitset.ts'
import type { Plan } from './plan.ts'
import { scaledCosine } from './scale.ts'
import type { ScoreBounds } from './score-bounds.ts'
import { exactSimilarities } from './similarity.ts'
import type { VectorMemory } from '../columns/vector-column.ts'

/** Documents of one search with their exact scores, as columns, so that thousands of ties stay cheap. */
export class Candidates {
  /** The index of each candidate's segment. */
  readonly parts: number[] = []
  readonly slots: number[] = []
  /** The cosines of the candidates. */
  readonly similarities: number[] = []
  /** What counts in place of the cosines; the same list where they count as they are. */
  readonly scaled: number[]
  /** The row of each candidate's best passage; -1 without passages, or while no cosine is computed. */
  readonly rows: number[] = []
  readonly scores: number[] = []
  readonly #plan: Plan
  readonly #bounds: ScoreBounds
  readonly #memory: VectorMemory
  readonly #weight: number

  /** @param weight weight of the scaled cosine in the hybrid score */
  constructor(plan: Plan, bounds: ScoreBounds, memory: VectorMemory, weight: number) {
    this.#plan = plan
    this.#bounds = bounds
    this.#memory = memory
    this.#weight = weight
    this.scaled = plan.scale === null ? this.similarities : []
  }

  /** Adds the documents at `places` of `bounds`, ascending, with their scores. */
  add(places: Uint32Array): void {
    const { bases } = this.#bounds
    // In keyword mode the cosine does not affect the ranking, so only hits get one, in `complete`.
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
      if (this.#plan.scale !== null) while (this.scaled.length < this.length) this.scaled.push(0)
      if (needsCosine) this.#computeExact(part, from, this.length)
      this.#score(part, from)
    }
  }

  get length(): number {
    return this.slots.length
  }

  /** Returns the indexes of all candidates, ascending. */
  all(): Uint32Array {
    const all = new Uint32Array(this.length)
    for (let i = 0; i < all.length; i++) all[i] = i
    return all
  }

  groupOf(candidate: number): number {
    return this.#plan.parts[this.parts[candidate]].segment.groups[this.slots[candidate]]
  }

  /** Computes the cosine of a candidate unless that was done. */
  complete(candidate: number): void {
    if (this.rows[candidate] < 0) this.#computeExact(this.parts[candidate], candidate, candidate + 1)
  }

  /** Compares two candidates: by what the request sorts by, then highest score, then newest change, then id. */
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
    const { direction, parts, scale } = this.#plan
    if (direction === null || from === to) return
    const slots = this.slots.slice(from, to)
    exactSimilarities(this.#memory, parts[part].segment, slots, direction, this.similarities, this.rows, from)
    if (scale === null) return
    for (let i = from; i < to; i++) if (this.rows[i] >= 0) this.scaled[i] = scaledCosine(scale, this.similarities[i])
  }

  #score(part: number, from: number): void {
    const { request, parts, keyword, statistics, pins, raises, allWords, names, shares } = this.#plan
    const pinnedSlots = pins?.parts[part]
    const raiseSums = raises?.sums[part]
    const complete = allWords?.complete[part]
    const matches = names?.matches[part]
    // Documents that are only counted need no score, and their words may have none.
    if (isCounting(request)) return
    for (let i = from; i < this.length; i++) {
      const slot = this.slots[i]
      const cosine = this.scaled[i]
      let score = cosine
      if (request.mode === 'keyword') score = keyword![part].scores[slot]
      else if (request.mode === 'hybrid') {
        const share = shares === null ? null : shares[parts[part].segment.partitionAt(slot)]
        score = hybridScore(coverage(keyword![part].scores[slot], statistics!.bm25Max), cosine, this.#weight, share)
      }
      if (raiseSums !== undefined) score += raiseSums[slot]
      if (complete !== undefined && hasBit(complete, slot)) score += allWords!.bonus
      if (matches !== undefined) score += names!.step * matches[slot]
      this.scores.push(pinnedSlots?.has(slot) ? score + pins!.bonus : score)
    }
  }
}

/** Returns the share of the highest possible BM25 that a document reaches, 0 to 1. */
export function coverage(bm25: number, bm25Max: number): number {
  return bm25Max > 0 ? bm25 / bm25Max : 0
}
