import { saturation } from '../../ranking/bm25.ts'
import { boundedOrder, PLACES_MOVED_MAX } from '../../ranking/bounded-order.ts'
import type { HitExplanation, HitPassage, SearchAnswer, SearchHit } from '../../engine.ts'
import { type Bits, clearBit, countBits, hasBit, subtract } from '../columns/bitset.ts'
import { borrowCopy } from '../columns/borrowed-bits.ts'
import { Candidates, coverage } from './candidates.ts'
import { isCounting } from './counting.ts'
import { countFacets } from './facets.ts'
import { alternativesAmong, explainedTerms } from '../../ranking/expansion.ts'
import { insteadOf, SPREAD_RANK, weightOf } from '../../ranking/hybrid-score.ts'
import { conceptFrequency } from './keyword.ts'
import { raisesAt } from './raises.ts'
import { firstSorted } from './first-sorted.ts'
import { Rating, uniteAll } from './rating.ts'
import { scaledCosine } from './scale.ts'
import { ScoreBounds } from './score-bounds.ts'
import type { Plan, Searchable } from './plan.ts'
import type { SortOrder } from './sort-order.ts'
import type { Bounds } from './similarity.ts'
import type { VectorMemory } from '../columns/vector-column.ts'

/** Candidates of the first stretch. Fewer are scored at once, since choosing among them would cost as much. */
const STRETCH_MIN = 64
/**
 * Most candidates that are sorted before they are scored. More are scored at once, since sorting them would cost more.
 */
const SORTED_MAX = 1_024

/** A hit: the document with the index `candidate` in the list `from`. */
interface ListedHit {
  readonly from: Candidates
  readonly candidate: number
  /**
   * The ranked list, and in this list the candidate whose score decides the place: the hit or the best of its group.
   */
  readonly ranked: Candidates
  readonly leader: number
}

/**
 * Ranks one search. The bound of each qualified document's cosine gives the document's high: the highest score that it
 * can have. The k documents with the highest highs are scored exactly. At least k documents reach the lowest of these
 * scores, so only documents whose high reaches that score can be among the first k.
 */
export class Ranker {
  readonly #plan: Plan
  readonly #bounds: ScoreBounds
  readonly #index: Searchable
  readonly #memory: VectorMemory
  readonly #qualified: readonly Bits[]
  readonly #rating: Rating
  /** Weight of the scaled cosine in the hybrid score. */
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
    if (minSimilarity !== null) qualified = this.#cutBySimilarity(qualified, minSimilarity)
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
    const input = {
      segments,
      filters,
      qualified: this.#qualified,
      values: facetValues,
      groupCount,
      corrections: statistics?.corrections ?? [],
    }
    return { ...answer, facets: countFacets(input, facets) }
  }

  #answer(): Omit<SearchAnswer, 'timing'> {
    const { order, preferred, request } = this.#plan
    if (isCounting(request)) return { hits: [], total: preferred === null ? this.#documents() : this.#groups() }
    if (order !== null) return this.#answerSorted(order)
    return preferred === null ? this.#answerDocuments() : this.#answerGroups(preferred)
  }

  /** Returns the number of qualified documents. */
  #documents(): number {
    return this.#qualified.reduce((sum, bits) => sum + countBits(bits), 0)
  }

  /** Returns the number of groups with a qualified member. */
  #groups(): number {
    const groups = new Uint8Array(this.#index.groupCount)
    this.#each(this.#qualified, (_place, part, slot) => {
      groups[this.#plan.parts[part].segment.groups[slot]] = 1
    })
    return groups.reduce((sum, isQualified) => sum + isQualified, 0)
  }

  /**
   * Answers a request that sorts, with or without groups. Only documents that come before the last place of the page,
   * or tie with it, are scored.
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
    const end = Math.min(offset + limit, total)
    if (end <= offset) return { hits: [], total }
    const last = firstSorted(leaders, end, compare)[end - 1]
    const candidates = this.#candidates(Uint32Array.from(places.filter((_, i) => compare(i, last) <= 0)))
    const ranking = preferred === null ? candidates.all() : Uint32Array.from(bestOfGroups(candidates).values())
    const page = firstSorted(ranking, end, candidates.compare).subarray(offset)
    const hits = preferred === null ? asThemselves(candidates, page) : this.#asPreferred(candidates, page, preferred)
    return { hits: hits.map((hit) => this.#hit(hit)), total }
  }

  #answerDocuments(): Omit<SearchAnswer, 'timing'> {
    const { offset, limit } = this.#plan.request
    const total = this.#documents()
    const end = Math.min(offset + limit, total)
    if (end <= offset) return { hits: [], total }
    const length = this.#rankedLength(end, total)
    const candidates = this.#contenders(length)
    const ranking = firstSorted(candidates.all(), length, candidates.compare)
    const hits = this.#boosted(candidates, asThemselves(candidates, ranking)).slice(offset, end)
    return { hits: hits.map((hit) => this.#hit(hit)), total }
  }

  /** Answers like `#answerDocuments`, for groups: a group's high is the highest of its members' highs. */
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
    const end = Math.min(offset + limit, total)
    if (end <= offset) return { hits: [], total }
    const length = this.#rankedLength(end, total)
    const leaders = this.#candidates(this.#bounds.reaching(sorted[total - length]))
    const leaderScores = Array.from(bestOfGroups(leaders).values(), (candidate) => leaders.scores[candidate])
    const places = this.#bounds.reaching(kthHighest(leaderScores, length))
    const candidates = places.length === leaders.length ? leaders : this.#candidates(places)
    const best = Uint32Array.from(bestOfGroups(candidates).values())
    const ranking = firstSorted(best, length, candidates.compare)
    // Without boosts, only the groups on the page need the member that they show.
    const page =
      this.#plan.boosts === null
        ? this.#asPreferred(candidates, ranking.subarray(offset), preferred)
        : this.#boosted(candidates, this.#asPreferred(candidates, ranking, preferred)).slice(offset, end)
    return { hits: page.map((hit) => this.#hit(hit)), total }
  }

  /** Returns how many hits to rank for the first `end` places: boosts may move up hits from behind. */
  #rankedLength(end: number, total: number): number {
    return this.#plan.boosts === null ? end : Math.min(end + PLACES_MOVED_MAX, total)
  }

  /** Moves each hit at the start of a ranking by its boost, within the bound. */
  #boosted(ranked: Candidates, hits: readonly ListedHit[]): readonly ListedHit[] {
    if (this.#plan.boosts === null) return hits
    const scores = hits.map((hit) => ranked.scores[hit.leader] + this.#boost(hit))
    return boundedOrder(scores).map((index) => hits[index])
  }

  #boost({ from, candidate }: ListedHit): number {
    const { parts, boosts } = this.#plan
    if (boosts === null) return 0
    return boosts.get(parts[from.parts[candidate]].segment.ids[from.slots[candidate]]) ?? 0
  }

  /** Returns for each leader the best preferred member of its group, or the leader itself if there is none. */
  #asPreferred(ranked: Candidates, leaders: Uint32Array, preferred: readonly Bits[]): ListedHit[] {
    const groups = new Set(Array.from(leaders, (leader) => ranked.groupOf(leader)))
    const places: number[] = []
    this.#each(this.#qualified, (place, part, slot) => {
      const { segment } = this.#plan.parts[part]
      if (hasBit(preferred[part], slot) && groups.has(segment.groups[slot])) places.push(place)
    })
    const members = this.#candidates(Uint32Array.from(places))
    const best = bestOfGroups(members)
    return Array.from(leaders, (leader) => {
      const member = best.get(ranked.groupOf(leader))
      return member === undefined
        ? { from: ranked, candidate: leader, ranked, leader }
        : { from: members, candidate: member, ranked, leader }
    })
  }

  /**
   * Removes the documents whose own cosine is under `minimum`, whatever the scale. Scaling keeps the order of documents
   * with vectors, so their scaled cosines have a bound, too; those of the others are 0.
   */
  #cutBySimilarity(qualified: readonly Bits[], minimum: number): Bits[] {
    const { scale, parts } = this.#plan
    if (scale === null) return this.#cut(qualified, minimum, null)
    const without = qualified.map((bits, part) => {
      const rest = borrowCopy(bits)
      subtract(rest, parts[part].segment.withVectors)
      return rest
    })
    const isUnder = ({ similarities }: Candidates, i: number): boolean => similarities[i] < minimum
    const kept = this.#cut(qualified, scaledCosine(scale, minimum), without, isUnder)
    if (minimum <= 0) return kept
    this.#each(without, (place) => this.#bounds.exclude(place))
    for (const [part, bits] of kept.entries()) subtract(bits, without[part])
    return kept
  }

  /**
   * Removes the documents whose scaled cosine is under `minimum`, by their exact cosine where bounds do not decide.
   * @param spared by segment, documents that stay whatever their cosine
   * @param isUnder tells by the exact cosine of a candidate whether it is removed
   */
  #cut(
    qualified: readonly Bits[],
    minimum: number,
    spared: readonly Bits[] | null,
    isUnder = ({ scaled }: Candidates, i: number): boolean => scaled[i] < minimum,
  ): Bits[] {
    const bounds = this.#bounds
    return qualified.map((bits, part) => {
      const judged = borrowCopy(bits)
      if (spared !== null) subtract(judged, spared[part])
      const unsure = this.#candidates(bounds.cut(part, judged, minimum))
      for (let i = 0; i < unsure.length; i++) {
        if (!isUnder(unsure, i)) continue
        clearBit(judged, unsure.slots[i])
        bounds.exclude(bounds.bases[part] + unsure.slots[i])
      }
      if (spared !== null) uniteWithin(judged, bits, spared[part])
      return judged
    })
  }

  /** Removes the documents that are less relevant than `minimum`. */
  #cutByRelevance(qualified: readonly Bits[], minimum: number): readonly Bits[] {
    const { relevant, irrelevant, undecided } = this.#rating.decide(qualified, minimum)
    for (const { least, sets } of undecided) uniteAll(relevant, this.#cut(sets, least, null))
    this.#each(irrelevant, (place) => this.#bounds.exclude(place))
    return relevant
  }

  /**
   * Returns all documents that can be among the first `count`, and some others. Documents with the highest highs are
   * scored first, in stretches of growing length; their scores show which other documents still can be.
   * @param valuesOf returns the values that the highs bound: the scores, or before `toScores` the scaled cosines
   */
  #contenders(count: number, valuesOf = ({ scores }: Candidates): readonly number[] => scores): Candidates {
    const bounds = this.#bounds
    const leading = bounds.kthHigh(count)
    const candidates = this.#candidates(bounds.reaching(leading))
    let least = kthHighest(valuesOf(candidates), count)
    const others = bounds.reachingBelow(least, leading)
    if (others.length <= STRETCH_MIN || others.length > SORTED_MAX) {
      candidates.add(others)
      return candidates
    }
    others.sort((a, b) => bounds.high(b) - bounds.high(a))
    for (let from = 0, length = STRETCH_MIN; from < others.length; from += length, length *= 2) {
      if (bounds.high(others[from]) < least) break
      candidates.add(others.slice(from, from + length).sort())
      least = kthHighest(valuesOf(candidates), count)
    }
    return candidates
  }

  /**
   * Returns the weight of the cosine from the exact scaled cosines of all eligible documents, whatever the page and
   * `minSimilarity`. Documents that the caller may not see, or that the filter leaves out, do not move the weight.
   */
  #weightByQuery(): number {
    const { parts, direction, request } = this.#plan
    const eligible = parts.reduce((sum, part) => sum + part.eligible.count, 0)
    const count = Math.min(SPREAD_RANK, eligible)
    if (direction === null || count === 0) return weightOf(request.vectorWeight, 0, 0, request.isContextual)
    const nearest = this.#contenders(count, ({ scaled }) => scaled)
    const highest = nearest.scaled.toSorted((a, b) => b - a)
    return weightOf(request.vectorWeight, highest[0], highest[count - 1], request.isContextual)
  }

  #candidates(places: Uint32Array): Candidates {
    const candidates = new Candidates(this.#plan, this.#bounds, this.#memory, this.#weight)
    candidates.add(places)
    return candidates
  }

  #hit(listed: ListedHit): SearchHit {
    const { from, candidate, ranked, leader } = listed
    const boost = this.#boost(listed)
    from.complete(candidate)
    const { segment } = this.#plan.parts[from.parts[candidate]]
    const slot = from.slots[candidate]
    const matched = ranked === from ? segment.ids[slot] : this.#idOf(ranked, leader)
    const similarity = from.similarities[candidate]
    const hit: { -readonly [Name in keyof SearchHit]: SearchHit[Name] } = {
      id: segment.ids[slot],
      seq: segment.seqs[slot],
      // Between two texts that wait to be read, a cosine may be over 1.
      similarity: Math.min(1, similarity),
      score: from.scores[candidate] + boost,
      ...(matched === segment.ids[slot] ? {} : { matched }),
      ...(this.#plan.request.rated === undefined
        ? {}
        : { relevance: this.#rating.of(from.parts[candidate], slot, from.scaled[candidate]) }),
    }
    const { explain, passages = false } = this.#plan.request
    if (passages) hit.passage = this.#passage(from.parts[candidate], slot, from.rows[candidate])
    if (!explain) return hit
    return { ...hit, explanation: this.#explain(listed, boost) }
  }

  #idOf(list: Candidates, candidate: number): string {
    return this.#plan.parts[list.parts[candidate]].segment.ids[list.slots[candidate]]
  }

  #explain({ from, candidate }: ListedHit, boost: number): HitExplanation {
    const part = from.parts[candidate]
    const slot = from.slots[candidate]
    const row = from.rows[candidate]
    const scaled = from.scaled[candidate]
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
    const covered = request.mode === 'semantic' ? null : coverage(bm25, statistics!.bm25Max)
    const pin = pins?.parts[part].has(slot) ? pins.bonus : 0
    const raised = raises === null ? [] : raisesAt(raises, part, slot)
    const complete = allWords !== null && hasBit(allWords.complete[part], slot) ? allWords.bonus : 0
    const named = names === null ? 0 : names.step * names.matches[part][slot]
    const instead = shares === null ? 0 : insteadOf(shares[segment.partitionAt(slot)], scaled)
    return {
      bm25,
      coverage: covered,
      vectorWeight: request.mode === 'hybrid' ? this.#weight : null,
      ...(this.#plan.scale === null ? {} : { scaled }),
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

  /**
   * Returns the best passage. Without a query direction every cosine is 0, and the first passage counts as the best.
   */
  #passage(part: number, slot: number, row: number): HitPassage | null {
    const { segment } = this.#plan.parts[part]
    const first = segment.rowStarts[slot]
    if (this.#plan.request.vector === null || first === segment.rowStarts[slot + 1]) return null
    const best = row < 0 ? first : row
    return { index: best - first, start: segment.passageStarts[best], end: segment.passageEnds[best] }
  }

  /** Visits the documents of `sets`, in ascending order of their places. */
  #each(sets: readonly Bits[], visit: (place: number, part: number, slot: number) => void): void {
    for (const [part, bits] of sets.entries()) {
      const base = this.#bounds.bases[part]
      for (let i = 0; i < bits.length; i++) {
        for (let rest = bits[i]; rest !== 0; rest &= rest - 1) {
          const slot = (i << 5) + 31 - Math.clz32(rest & -rest)
          visit(base + slot, part, slot)
        }
      }
    }
  }
}

/** Returns candidates as hits whose own scores decide their places. */
function asThemselves(ranked: Candidates, ranking: Uint32Array): ListedHit[] {
  return Array.from(ranking, (candidate) => ({ from: ranked, candidate, ranked, leader: candidate }))
}

/** Adds the bits of `bits` that are also in `spared` to `target`. */
function uniteWithin(target: Bits, bits: Bits, spared: Bits): void {
  for (let i = 0; i < target.length; i++) target[i] |= bits[i] & spared[i]
}

/** Returns the k-th highest of at least `k` scores. */
function kthHighest(scores: readonly number[], k: number): number {
  return scores.toSorted((a, b) => b - a)[k - 1]
}

/** Returns the first item of each group, in the order of `compare`, among the items below `count`. */
function firstOfEach(
  count: number,
  groupOf: (item: number) => number,
  compare: (a: number, b: number) => number,
): Uint32Array {
  const first = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const group = groupOf(i)
    const leader = first.get(group)
    if (leader === undefined || compare(i, leader) < 0) first.set(group, i)
  }
  return Uint32Array.from(first.values())
}

/** Returns the best candidate of each group. */
function bestOfGroups(candidates: Candidates): Map<number, number> {
  const best = new Map<number, number>()
  for (let i = 0; i < candidates.length; i++) {
    const group = candidates.groupOf(i)
    const leader = best.get(group)
    if (leader === undefined || candidates.compare(i, leader) < 0) best.set(group, i)
  }
  return best
}
