import { conceptFrequency } from './keyword.ts'
import { saturation } from '../bm25.ts'
import type { HitExplanation, SearchAnswer, SearchHit } from '../engine.ts'
import { type Bits, clearBit, countBits } from './bitset.ts'
import { firstSorted } from './ranking.ts'
import { ScoreBounds } from './score-bounds.ts'
import type { Plan } from './search.ts'
import { type Bounds, type ExactSimilarity, exactSimilarities } from './similarity.ts'
import type { VectorMemory } from './vector-column.ts'

interface Candidate {
  readonly part: number
  readonly slot: number
  readonly similarity: number
  readonly score: number
  readonly row: number
}

/**
 * Ranks one search. Every qualified document has a low and a high score, from the bounds of its cosine;
 * those whose high reaches the k-th highest low are decided by their exact cosine, nothing else can
 * be among the first k.
 */
export class Ranker {
  readonly #plan: Plan
  readonly #bounds: ScoreBounds
  readonly #groupCount: number
  readonly #memory: VectorMemory
  /** Exact cosines computed so far, by place. */
  readonly #exact = new Map<number, ExactSimilarity>()
  readonly #qualified: readonly Bits[]

  constructor(plan: Plan, cosines: Bounds | null, groupCount: number, memory: VectorMemory) {
    this.#plan = plan
    this.#bounds = new ScoreBounds(plan, cosines, memory)
    this.#groupCount = groupCount
    this.#memory = memory
    const { minSimilarity } = plan.request
    this.#qualified = minSimilarity === null ? plan.qualified : this.#cut(minSimilarity)
    this.#bounds.toScores(this.#qualified)
  }

  answer(): Omit<SearchAnswer, 'timing'> {
    const { offset, limit, groupByLanguage } = this.#plan.request
    if (groupByLanguage !== null) return this.#answerGroups(groupByLanguage)
    const total = this.#qualified.reduce((sum, bits) => sum + countBits(bits), 0)
    const wanted = Math.min(offset + limit, total)
    if (limit === 0 || wanted <= offset) return { hits: [], total }
    const ranked = firstSorted(this.#candidates(this.#bounds.kthLow(wanted)), wanted, this.#compare)
    return { hits: this.#hits(ranked.slice(offset)), total }
  }

  /** The same with groups in place of documents: a group's low is the highest of its members'. */
  #answerGroups(language: string): Omit<SearchAnswer, 'timing'> {
    const { offset, limit } = this.#plan.request
    const lows = new Float32Array(this.#groupCount).fill(-Infinity)
    this.#eachQualified((part, slot) => {
      const group = this.#groupOf(part, slot)
      const low = this.#bounds.low(this.#bounds.bases[part] + slot)
      if (low > lows[group]) lows[group] = low
    })
    const found = lows.filter((low) => low > -Infinity).sort()
    const total = found.length
    const wanted = Math.min(offset + limit, total)
    if (limit === 0 || wanted <= offset) return { hits: [], total }
    const best = new Map<number, Candidate>()
    for (const candidate of this.#candidates(found[total - wanted])) {
      const group = this.#groupOf(candidate.part, candidate.slot)
      const held = best.get(group)
      if (held === undefined || this.#compare(candidate, held) < 0) best.set(group, candidate)
    }
    const ranked = firstSorted([...best.values()], wanted, this.#compare)
    return { hits: this.#hits(this.#inLanguage(ranked.slice(offset), language)), total }
  }

  /** Each group's best member in the language where it has one. */
  #inLanguage(best: readonly Candidate[], language: string): Candidate[] {
    const places = new Map(best.map((candidate, i) => [this.#groupOf(candidate.part, candidate.slot), i]))
    const members: Slot[] = []
    this.#eachQualified((part, slot) => {
      if (places.has(this.#groupOf(part, slot)) && this.#plan.parts[part].segment.languages[slot] === language) {
        members.push({ part, slot })
      }
    })
    const shown: (Candidate | undefined)[] = best.map(() => undefined)
    for (const candidate of this.#decide(members)) {
      const place = places.get(this.#groupOf(candidate.part, candidate.slot))!
      const held = shown[place]
      if (held === undefined || this.#compare(candidate, held) < 0) shown[place] = candidate
    }
    return best.map((candidate, i) => shown[i] ?? candidate)
  }

  /** What is left of the qualified documents when those under `minimum` are cut, decided exactly. */
  #cut(minimum: number): Bits[] {
    const bounds = this.#bounds
    const cut = this.#plan.qualified.map((bits) => bits.slice())
    const exclude = (part: number, slot: number): void => {
      clearBit(cut[part], slot)
      bounds.exclude(bounds.bases[part] + slot)
    }
    const unsure: Slot[] = []
    this.#each(this.#plan.qualified, (part, slot) => {
      const place = bounds.bases[part] + slot
      if (bounds.high(place) < minimum) exclude(part, slot)
      else if (bounds.low(place) < minimum) unsure.push({ part, slot })
    })
    for (const { part, slot, similarity } of this.#decide(unsure)) if (similarity < minimum) exclude(part, slot)
    return cut
  }

  /** The documents whose score can reach `threshold`, with their exact scores. */
  #candidates(threshold: number): Candidate[] {
    const { bases } = this.#bounds
    let part = 0
    const slots = Array.from(this.#bounds.reaching(threshold), (place) => {
      while (part + 1 < bases.length && place >= bases[part + 1]) part++
      return { part, slot: place - bases[part] }
    })
    return this.#decide(slots)
  }

  /** The exact cosines and scores of documents; cosines that decide nothing in keyword mode wait for the hits. */
  #decide(slots: readonly Slot[]): Candidate[] {
    const { request, keyword, statistics } = this.#plan
    const lazy = request.mode === 'keyword' && request.minSimilarity === null
    if (!lazy) this.#computeExact(slots)
    return slots.map(({ part, slot }) => {
      const { similarity, row } = this.#exact.get(this.#bounds.bases[part] + slot) ?? { similarity: 0, row: -1 }
      if (request.mode === 'semantic') return { part, slot, similarity, row, score: similarity }
      const bm25 = keyword![part].scores[slot]
      const fused = request.mode === 'hybrid'
      const score = fused ? fuse(bm25, statistics!.whole, request.vectorWeight, similarity) : bm25
      return { part, slot, similarity, row, score }
    })
  }

  #computeExact(slots: readonly Slot[]): void {
    const { vector, parts } = this.#plan
    if (vector === null) return
    const wanted = parts.map((): number[] => [])
    for (const { part, slot } of slots) if (!this.#exact.has(this.#bounds.bases[part] + slot)) wanted[part].push(slot)
    for (const [part, list] of wanted.entries()) {
      const found = exactSimilarities(this.#memory, parts[part].segment, list, vector)
      for (const [i, slot] of list.entries()) this.#exact.set(this.#bounds.bases[part] + slot, found[i])
    }
  }

  #hits(page: readonly Candidate[]): SearchHit[] {
    this.#computeExact(page)
    return page.map((candidate) => {
      const { part, slot, score } = candidate
      const { similarity, row } = this.#exact.get(this.#bounds.bases[part] + slot) ?? { similarity: 0, row: -1 }
      const hit = { id: this.#plan.parts[part].segment.ids[slot], similarity, score }
      return this.#plan.request.explain ? { ...hit, explanation: this.#explain(part, slot, row) } : hit
    })
  }

  #explain(part: number, slot: number, row: number): HitExplanation {
    const { statistics, parts, request } = this.#plan
    const { segment } = parts[part]
    const terms = (statistics?.concepts ?? []).map((concept, i) => {
      const frequency = conceptFrequency(segment, slot, concept)
      const idf = statistics!.idfs[i]
      const tf = frequency > 0 ? saturation(frequency, segment.lengths[slot], statistics!.meanLength) : 0
      return { term: concept.text, idf, frequency, score: concept.weight * idf * tf }
    })
    const bm25 = terms.reduce((sum, term) => sum + term.score, 0)
    const whole = statistics?.whole ?? 0
    const coverage = request.mode === 'semantic' ? null : fuse(bm25, whole, 0, 0)
    return { bm25, coverage, terms, passage: this.#passage(part, slot, row) }
  }

  /** The best passage; the first where every cosine is 0 for want of a query direction. */
  #passage(part: number, slot: number, row: number): HitExplanation['passage'] {
    const { segment } = this.#plan.parts[part]
    const first = segment.rowStarts[slot]
    if (this.#plan.request.vector === null || first === segment.rowStarts[slot + 1]) return null
    const best = row < 0 ? first : row
    return { index: best - first, start: segment.passageStarts[best], end: segment.passageEnds[best] }
  }

  readonly #compare = (a: Candidate, b: Candidate): number => {
    if (a.score !== b.score) return b.score - a.score
    const left = this.#plan.parts[a.part].segment
    const right = this.#plan.parts[b.part].segment
    const newer = right.changedAt[b.slot] - left.changedAt[a.slot]
    if (newer !== 0) return newer
    const [idA, idB] = [left.ids[a.slot], right.ids[b.slot]]
    return idA < idB ? -1 : Number(idA > idB)
  }

  #groupOf(part: number, slot: number): number {
    return this.#plan.parts[part].segment.groups[slot]
  }

  #eachQualified(visit: (part: number, slot: number) => void): void {
    this.#each(this.#qualified, visit)
  }

  #each(sets: readonly Bits[], visit: (part: number, slot: number) => void): void {
    for (const [part, bits] of sets.entries()) {
      for (let i = 0; i < bits.length; i++) {
        for (let word = bits[i]; word !== 0; word &= word - 1) visit(part, (i << 5) + 31 - Math.clz32(word & -word))
      }
    }
  }
}

interface Slot {
  readonly part: number
  readonly slot: number
}

/** The hybrid score: the share of the query that the document covers, plus the weighted cosine. */
function fuse(bm25: number, whole: number, weight: number, similarity: number): number {
  return (whole > 0 ? bm25 / whole : 0) + weight * similarity
}
