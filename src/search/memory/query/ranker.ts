import { saturation } from '../../ranking/bm25.ts'
import { boundedOrder, PLACES_MOVED_MAX } from '../../ranking/bounded-order.ts'
import type { HitExplanation, HitPassage, SearchAnswer, SearchHit } from '../../engine.ts'
import { type Bits, clearBit, countBits, hasBit, subtract } from '../columns/bitset.ts'
import { borrowCopy } from '../columns/borrowed-bits.ts'
import { Candidates, coverage } from './candidates.ts'
import { isCounting } from './counting.ts'
import { countFacets } from './facets.ts'
import { alternativesAmong, explainedTerms } from '../../ranking/expansion.ts'
import { SPREAD_RANK, weightOf } from '../../ranking/hybrid-score.ts'
import { conceptFrequency } from './keyword.ts'
import { raisesAt } from './raises.ts'
import { firstSorted } from './ranking.ts'
import { Rating, uniteAll } from './rating.ts'
import { ScoreBounds } from './score-bounds.ts'
import type { Plan, Searchable } from './search.ts'
import type { SortOrder } from './sort-order.ts'
import type { Bounds } from './similarity.ts'
import type { VectorMemory } from '../columns/vector-column.ts'

/** Up to this many candidates are scored together: telling which of them matter would cost as much. */
const STRETCH_MIN = 64
/** More candidates are scored together, too, because sorting them first would cost more. */
const SORTED_MAX = 1_024

/** A candidate and the list that it comes from. */
interface Chosen {
  readonly from: Candidates
  readonly candidate: number
  /** The ranked list, and in it the candidate whose score decides the place: itself or the best of its group. */
  readonly ranked: Candidates
  readonly leader: number
}

/**
 * Ranks one search. The bound of each qualified document's cosine gives its high: the highest score it can have. The k
 * documents with the highest highs are scored exactly. At least k documents reach the lowest of these scores, so only
 * documents whose high reaches it can be among the first k.
 */
export class Ranker {
  readonly #plan: Plan
  readonly #bounds: ScoreBounds
  readonly #index: Searchable
  readonly #memory: VectorMemory
  readonly #qualified: readonly Bits[]
  readonly #rating: Rating
  /** Of the cosine in the hybrid score. */
  #weight = 0

  constructor(index: Searchable, plan: Plan, cosines: Bounds | null, memory: VectorMemory) {
    this.#plan = plan
    this.#bounds = new ScoreBounds(plan, cosines, memory)
    this.#index = index
    this.#memory = memory
    this.#rating = new Rating(plan)
    this.#weight = plan.shares === null ? plan.request.vectorWeight : this.#weightByQuery()
    const { minSimilarity, relevance } = plan.request
    let qualified = plan.qualified
    if (minSimilarity !== null) qualified = this.#cut(qualified, minSimilarity, null)
    if (plan.relevant !== null) qualified = this.#cut(qualified, relevance!.minSimilarityWithoutMatch, plan.relevant)
    const least = plan.request.rated?.min ?? null
    if (least !== null) qualified = this.#cutByRelevance(qualified, least)
    this.#qualified = qualified
    if (!isCounting(plan.request)) this.#bounds.toScores(this.#qualified, this.#weight)
  }

  answer(): Omit<SearchAnswer, 'timing'> {
    const { facets, corrections, alternatives } = this.#plan.request
    const { statistics } = this.#plan
    const answer = {
      ...this.#answer(),
      ...(corrections === true ? { corrections: statistics?.corrections ?? [] } : {}),
      ...(alternatives === true ? { alternatives: alternativesAmong(statistics?.concepts ?? []) } : {}),
    }
    if (facets === undefined) return answer
    const { segments, filters, facetValues } = this.#index
    const groupCount = this.#plan.preferred === null ? null : this.#index.groupCount
    const counted = {
      segments,
      filters,
      qualified: this.#qualified,
      values: facetValues,
      groupCount,
      corrections: statistics?.corrections ?? [],
    }
    return { ...answer, facets: countFacets(counted, facets) }
  }

  #answer(): Omit<SearchAnswer, 'timing'> {
    const { order, preferred, request } = this.#plan
    if (isCounting(request)) return { hits: [], total: preferred === null ? this.#documents() : this.#groups() }
    if (order !== null) return this.#answerSorted(order)
    return preferred === null ? this.#answerDocuments() : this.#answerGroups(preferred)
  }

  #documents(): number {
    return this.#qualified.reduce((sum, bits) => sum + countBits(bits), 0)
  }

  #groups(): number {
    const groups = new Uint8Array(this.#index.groupCount)
    this.#each(this.#qualified, (_place, part, slot) => {
      groups[this.#plan.parts[part].segment.groups[slot]] = 1
    })
    return groups.reduce((sum, isFound) => sum + isFound, 0)
  }

  /**
   * Like `#answerDocuments` and `#answerGroups` for a request that sorts. Only documents that come before the last
   * wanted place, or tie with it, are scored.
   */
  #answerSorted(order: SortOrder): Omit<SearchAnswer, 'timing'> {
    const { preferred, parts: plans, request } = this.#plan
    const { offset, limit } = request
    const places: number[] = []
    const parts: number[] = []
    const slots: number[] = []
    this.#each(this.#qualified, (place, part, slot) => {
      places.push(place)
      parts.push(part)
      slots.push(slot)
    })
    const compare = (a: number, b: number): number => order.compare(parts[a], slots[a], parts[b], slots[b])
    const leaders =
      preferred === null
        ? Uint32Array.from(places.keys())
        : firstOfEach(places.length, (i) => plans[parts[i]].segment.groups[slots[i]], compare)
    const total = leaders.length
    const wanted = Math.min(offset + limit, total)
    if (wanted <= offset) return { hits: [], total }
    const last = firstSorted(leaders, wanted, compare)[wanted - 1]
    const found = this.#candidates(Uint32Array.from(places.filter((_, i) => compare(i, last) <= 0)))
    const deciding = preferred === null ? found.all() : Uint32Array.from(bestOfGroups(found).values())
    const page = firstSorted(deciding, wanted, found.compare).subarray(offset)
    const listed =
      preferred === null
        ? Array.from(page, (candidate) => ({ from: found, candidate, ranked: found, leader: candidate }))
        : this.#asPreferred(found, page, preferred)
    return { hits: listed.map((chosen) => this.#hit(chosen)), total }
  }

  #answerDocuments(): Omit<SearchAnswer, 'timing'> {
    const { offset, limit } = this.#plan.request
    const total = this.#documents()
    const wanted = Math.min(offset + limit, total)
    if (wanted <= offset) return { hits: [], total }
    const deciding = this.#deciding(wanted, total)
    const found = this.#contenders(deciding)
    const ranked = firstSorted(found.all(), deciding, found.compare)
    const listed = Array.from(ranked, (candidate) => ({ from: found, candidate, ranked: found, leader: candidate }))
    return {
      hits: this.#placed(found, listed)
        .slice(offset, wanted)
        .map((chosen) => this.#hit(chosen)),
      total,
    }
  }

  /** Like `answer` for groups: a group's high is the highest of its members' highs. */
  #answerGroups(preferred: readonly Bits[]): Omit<SearchAnswer, 'timing'> {
    const { offset, limit } = this.#plan.request
    const highs = new Float32Array(this.#index.groupCount).fill(-Infinity)
    this.#each(this.#qualified, (place, part, slot) => {
      const group = this.#plan.parts[part].segment.groups[slot]
      const high = this.#bounds.high(place)
      if (high > highs[group]) highs[group] = high
    })
    const sorted = highs.filter((high) => high > -Infinity).sort()
    const total = sorted.length
    const wanted = Math.min(offset + limit, total)
    if (wanted <= offset) return { hits: [], total }
    const deciding = this.#deciding(wanted, total)
    const leaders = this.#candidates(this.#bounds.reaching(sorted[total - deciding]))
    const led = Array.from(bestOfGroups(leaders).values(), (candidate) => leaders.scores[candidate])
    const places = this.#bounds.reaching(kthHighest(led, deciding))
    const found = places.length === leaders.length ? leaders : this.#candidates(places)
    const best = Uint32Array.from(bestOfGroups(found).values())
    const ranked = firstSorted(best, deciding, found.compare)
    // Without boosts, only the groups on the page need the member that they are shown by.
    const listed = this.#asPreferred(found, this.#plan.boosts === null ? ranked.subarray(offset) : ranked, preferred)
    const page = this.#plan.boosts === null ? listed : this.#placed(found, listed).slice(offset, wanted)
    return { hits: page.map((chosen) => this.#hit(chosen)), total }
  }

  /** How many hits decide the first `wanted` places: boosts may move up hits from behind. */
  #deciding(wanted: number, total: number): number {
    return this.#plan.boosts === null ? wanted : Math.min(wanted + PLACES_MOVED_MAX, total)
  }

  /** The start of a ranking with each hit moved by its boost, within the bound. */
  #placed(found: Candidates, listed: readonly Chosen[]): readonly Chosen[] {
    if (this.#plan.boosts === null) return listed
    const scores = listed.map((chosen) => found.scores[chosen.leader] + this.#boost(chosen))
    return boundedOrder(scores).map((index) => listed[index])
  }

  #boost({ from, candidate }: Chosen): number {
    const { parts, boosts } = this.#plan
    if (boosts === null) return 0
    return boosts.get(parts[from.parts[candidate]].segment.ids[from.slots[candidate]]) ?? 0
  }

  /** For each listed candidate, the best preferred member of its group, or the candidate itself if there is none. */
  #asPreferred(found: Candidates, listed: Uint32Array, preferred: readonly Bits[]): Chosen[] {
    const groups = new Set(Array.from(listed, (candidate) => found.groupOf(candidate)))
    const places: number[] = []
    this.#each(this.#qualified, (place, part, slot) => {
      const { segment } = this.#plan.parts[part]
      if (hasBit(preferred[part], slot) && groups.has(segment.groups[slot])) places.push(place)
    })
    const members = this.#candidates(Uint32Array.from(places))
    const shown = bestOfGroups(members)
    return Array.from(listed, (candidate) => {
      const member = shown.get(found.groupOf(candidate))
      return member === undefined
        ? { from: found, candidate, ranked: found, leader: candidate }
        : { from: members, candidate: member, ranked: found, leader: candidate }
    })
  }

  /**
   * Removes documents under `minimum`, by their exact cosine where bounds do not decide. Documents in `spared` stay.
   */
  #cut(qualified: readonly Bits[], minimum: number, spared: readonly Bits[] | null): Bits[] {
    const bounds = this.#bounds
    return qualified.map((bits, part) => {
      const judged = borrowCopy(bits)
      if (spared !== null) subtract(judged, spared[part])
      const unsure = this.#candidates(bounds.cut(part, judged, minimum))
      for (let i = 0; i < unsure.length; i++) {
        if (unsure.similarities[i] >= minimum) continue
        clearBit(judged, unsure.slots[i])
        bounds.exclude(bounds.bases[part] + unsure.slots[i])
      }
      if (spared !== null) uniteWithin(judged, bits, spared[part])
      return judged
    })
  }

  /** Removes documents that are less relevant than `minimum`. */
  #cutByRelevance(qualified: readonly Bits[], minimum: number): readonly Bits[] {
    const { kept, gone, undecided } = this.#rating.decide(qualified, minimum)
    for (const { least, sets } of undecided) uniteAll(kept, this.#cut(sets, least, null))
    this.#each(gone, (place) => this.#bounds.exclude(place))
    return kept
  }

  /**
   * All documents that can be among the first `wanted`, and some others. Documents with the highest highs are scored
   * first, in stretches of growing length; their scores show which of the rest still can.
   * @param valuesOf what the bounds bound: the scores, or before `toScores` the similarities
   */
  #contenders(wanted: number, valuesOf = ({ scores }: Candidates): readonly number[] => scores): Candidates {
    const bounds = this.#bounds
    const leading = bounds.kthHigh(wanted)
    const found = this.#candidates(bounds.reaching(leading))
    let least = kthHighest(valuesOf(found), wanted)
    const others = bounds.reachingBelow(least, leading)
    if (others.length <= STRETCH_MIN || others.length > SORTED_MAX) {
      found.add(others)
      return found
    }
    others.sort((a, b) => bounds.high(b) - bounds.high(a))
    for (let from = 0, length = STRETCH_MIN; from < others.length; from += length, length *= 2) {
      if (bounds.high(others[from]) < least) break
      found.add(others.slice(from, from + length).sort())
      least = kthHighest(valuesOf(found), wanted)
    }
    return found
  }

  /**
   * From the exact cosines of all documents that can be hits, whatever the page and `minSimilarity`: documents that the
   * caller may not see, or that the filter leaves out, do not count.
   */
  #weightByQuery(): number {
    const { parts, direction, request } = this.#plan
    const eligible = parts.reduce((sum, part) => sum + part.eligible.count, 0)
    const count = Math.min(SPREAD_RANK, eligible)
    if (direction === null || count === 0) return weightOf(request.vectorWeight, 0, 0)
    const nearest = this.#contenders(count, ({ similarities }) => similarities)
    const highest = nearest.similarities.toSorted((a, b) => b - a)
    return weightOf(request.vectorWeight, highest[0], highest[count - 1])
  }

  #candidates(places: Uint32Array): Candidates {
    const candidates = new Candidates(this.#plan, this.#bounds, this.#memory, this.#weight)
    candidates.add(places)
    return candidates
  }

  #hit(chosen: Chosen): SearchHit {
    const { from, candidate, ranked, leader } = chosen
    const boost = this.#boost(chosen)
    from.complete(candidate)
    const { segment } = this.#plan.parts[from.parts[candidate]]
    const slot = from.slots[candidate]
    const matched = ranked === from ? segment.ids[slot] : this.#idOf(ranked, leader)
    const similarity = from.similarities[candidate]
    const hit: { -readonly [Name in keyof SearchHit]: SearchHit[Name] } = {
      id: segment.ids[slot],
      seq: segment.seqs[slot],
      similarity,
      score: from.scores[candidate] + boost,
      ...(matched === segment.ids[slot] ? {} : { matched }),
      ...(this.#plan.request.rated === undefined
        ? {}
        : { relevance: this.#rating.of(from.parts[candidate], slot, similarity) }),
    }
    const { explain, passages = false } = this.#plan.request
    if (passages) hit.passage = this.#passage(from.parts[candidate], slot, from.rows[candidate])
    if (!explain) return hit
    return { ...hit, explanation: this.#explain(chosen, boost) }
  }

  #idOf(list: Candidates, candidate: number): string {
    return this.#plan.parts[list.parts[candidate]].segment.ids[list.slots[candidate]]
  }

  #explain({ from, candidate }: Chosen, boost: number): HitExplanation {
    const part = from.parts[candidate]
    const slot = from.slots[candidate]
    const row = from.rows[candidate]
    const similarity = from.similarities[candidate]
    const { statistics, parts, request, pins, raises, allWords, names, shares } = this.#plan
    const { segment } = parts[part]
    const scored = (statistics?.concepts ?? []).map((concept, i) => {
      const frequency = conceptFrequency(segment, slot, concept)
      const idf = statistics!.idfs[i]
      const tf = frequency > 0 ? saturation(frequency, segment.lengths[slot], statistics!.meanLength) : 0
      return { concept, idf, frequency, score: statistics!.worths[i] * tf }
    })
    const terms = explainedTerms(scored)
    const bm25 = terms.reduce((sum, term) => sum + term.score, 0)
    const covered = request.mode === 'semantic' ? null : coverage(bm25, statistics!.whole)
    const pin = pins?.parts[part].has(slot) ? pins.bonus : 0
    const raised = raises === null ? [] : raisesAt(raises, part, slot)
    const complete = allWords !== null && hasBit(allWords.complete[part], slot) ? allWords.bonus : 0
    const named = names === null ? 0 : names.step * names.matches[part][slot]
    const instead = shares === null ? 0 : shares[segment.partitionAt(slot)] * similarity
    return {
      bm25,
      coverage: covered,
      vectorWeight: request.mode === 'hybrid' ? this.#weight : null,
      ...(instead > (covered ?? 0) ? { instead } : {}),
      terms,
      ...(pin === 0 ? {} : { pin }),
      ...(complete === 0 ? {} : { allWords: complete }),
      ...(named === 0 ? {} : { named }),
      ...(boost === 0 ? {} : { boost }),
      ...(raised.length === 0 ? {} : { raises: raised }),
      passage: this.#passage(part, slot, row),
    }
  }

  /** The best passage. Without a query direction every cosine is 0, and the first passage is taken. */
  #passage(part: number, slot: number, row: number): HitPassage | null {
    const { segment } = this.#plan.parts[part]
    const first = segment.rowStarts[slot]
    if (this.#plan.request.vector === null || first === segment.rowStarts[slot + 1]) return null
    const best = row < 0 ? first : row
    return { index: best - first, start: segment.passageStarts[best], end: segment.passageEnds[best] }
  }

  /** Visits places in ascending order. */
  #each(sets: readonly Bits[], visit: (place: number, part: number, slot: number) => void): void {
    for (const [part, bits] of sets.entries()) {
      const base = this.#bounds.bases[part]
      for (let i = 0; i < bits.length; i++) {
        for (let word = bits[i]; word !== 0; word &= word - 1) {
          const slot = (i << 5) + 31 - Math.clz32(word & -word)
          visit(base + slot, part, slot)
        }
      }
    }
  }
}

/** Adds the bits of `bits` that are also in `spared` to `target`. */
function uniteWithin(target: Bits, bits: Bits, spared: Bits): void {
  for (let i = 0; i < target.length; i++) target[i] |= bits[i] & spared[i]
}

/** The k-th highest of at least k scores. */
function kthHighest(scores: readonly number[], k: number): number {
  return scores.toSorted((a, b) => b - a)[k - 1]
}

/** Of `count` items the first of each group. @returns the numbers of the items */
function firstOfEach(
  count: number,
  groupOf: (item: number) => number,
  compare: (a: number, b: number) => number,
): Uint32Array {
  const first = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const group = groupOf(i)
    const held = first.get(group)
    if (held === undefined || compare(i, held) < 0) first.set(group, i)
  }
  return Uint32Array.from(first.values())
}

/** The best candidate of each group. */
function bestOfGroups(candidates: Candidates): Map<number, number> {
  const best = new Map<number, number>()
  for (let i = 0; i < candidates.length; i++) {
    const group = candidates.groupOf(i)
    const held = best.get(group)
    if (held === undefined || candidates.compare(i, held) < 0) best.set(group, i)
  }
  return best
}
