/**
 * Answers a batch of searches over one index: first filters and keyword scores, then bounds of the cosines for all
 * searches together, then each ranking by itself.
 */
import { EngineUnavailable, type Filter, type SearchAnswer, type SearchRequest } from '../engine.ts'
import { checkFilter, isEverything, type SegmentFilters } from './filters.ts'
import { type Bits, countBits, intersect, setBit } from './bitset.ts'
import { borrowCopy, endBorrowing } from './borrowed-bits.ts'
import { withEveryWord } from './every-word.ts'
import type { FacetValues } from './facet-column.ts'
import { checkFacets } from './facets.ts'
import { keywordStatistics, type KeywordScores, type KeywordStatistics, release, scoreSegment } from './keyword.ts'
import type { SearchPart } from './keyword.ts'
import { type Pins, pinsOf, unitOf } from './pins.ts'
import { Ranker } from './ranker.ts'
import type { Segment } from './segment.ts'
import { BATCH_MAX, boundSimilarities, type Bounds, type Direction } from './similarity.ts'
import type { TextAnalyser } from './text-analyser.ts'
import { norm, type VectorMemory } from './vector-column.ts'
import { ViewMemory } from './view-memory.ts'

/** Longest query whose answer is kept. */
const SHORT_LENGTH_MAX = 3

/** The parts of an index that a search reads; none changes while a search runs. */
export interface Searchable {
  readonly segments: readonly Segment[]
  readonly filters: readonly SegmentFilters[]
  /** Dimensions of the vectors; null if there are none. */
  readonly dimensions: number | null
  readonly groupCount: number
  readonly facetValues: Readonly<Record<string, FacetValues>>
}

/** A search that is prepared up to the bounds of its cosines. */
export interface Plan {
  readonly request: SearchRequest
  readonly parts: readonly SearchPart[]
  readonly statistics: KeywordStatistics | null
  readonly keyword: readonly KeywordScores[] | null
  /** By segment, the documents that can become hits; `minSimilarity` and `relevance` may still remove some. */
  readonly qualified: readonly Bits[]
  /**
   * By segment, documents that are relevant whatever their cosine, because a concept matches or they are pinned. Null
   * without `relevance`.
   */
  readonly relevant: readonly Bits[] | null
  /** By segment, the members that groups prefer to show; null without groups. */
  readonly preferred: readonly Bits[] | null
  readonly pins: Pins | null
  /** By id, the boosts of hits in the unit of the mode's score; null without boosts. */
  readonly boosts: ReadonlyMap<string, number> | null
  /** The direction of the query's vector; null without one, and then every cosine is 0. */
  readonly direction: Direction | null
}

/** The answer of one search, or the error that it failed with. */
export type Outcome = Omit<SearchAnswer, 'timing'> | Error

/**
 * Answers `requests` in their order. A search that fails does not affect the others, with one exception: bounds are
 * computed for up to `BATCH_MAX` searches at once, which fail together when memory runs out.
 */
export function searchBatch(
  index: Searchable,
  requests: readonly SearchRequest[],
  memory: VectorMemory,
  analyser: TextAnalyser,
): Outcome[] {
  const outcomes: Outcome[] = []
  const waiting: { plan: Plan; at: number }[] = []
  const flush = (): void => {
    const batch = waiting.splice(0)
    const plans = batch.map(({ plan }) => plan)
    const bounds = attempt(() => boundBatch(index, plans, memory))
    for (const [i, { plan, at }] of batch.entries()) {
      if (bounds instanceof Error) releaseKeyword(plan)
      outcomes[at] = bounds instanceof Error ? bounds : rank(index, plan, bounds[i], memory)
    }
  }
  for (const [at, request] of requests.entries()) {
    if (isShort(request)) {
      outcomes[at] = answerShort(index, request, memory, analyser)
      continue
    }
    const plan = attempt(() => makePlan(index, request, analyser))
    if (plan instanceof Error) outcomes[at] = plan
    else if (!needsBounds(plan)) outcomes[at] = rank(index, plan, null, memory)
    else if (waiting.push({ plan, at }) === BATCH_MAX) flush()
  }
  if (waiting.length > 0) flush()
  endBorrowing()
  return outcomes
}

/** A few letters that are being typed, by words alone. They match the most, and the same ones are typed every time. */
function isShort({ mode, prefixLast = false, query, vector, explain, boosts }: SearchRequest): boolean {
  const isPlain = vector === null && !explain && boosts === undefined
  return mode === 'keyword' && prefixLast && isPlain && query.length <= SHORT_LENGTH_MAX
}

/** The answer to a request that `isShort`, as it was for the same visible documents if they have not changed. */
function answerShort(index: Searchable, request: SearchRequest, memory: VectorMemory, analyser: TextAnalyser): Outcome {
  const { version: _version, visible, ...asked } = request
  const made = (): Outcome => {
    const plan = attempt(() => makePlan(index, request, analyser))
    return plan instanceof Error ? plan : rank(index, plan, null, memory)
  }
  const sets = attempt(() => {
    checkFilter(index.segments[0].definition, visible)
    return index.filters.map((filters) => filters.matching([visible], countBits))
  })
  return sets instanceof Error ? sets : ViewMemory.of(sets).answer(JSON.stringify(asked), made)
}

function makePlan(index: Searchable, request: SearchRequest, analyser: TextAnalyser): Plan {
  const { definition } = index.segments[0]
  checkFilter(definition, request.visible)
  checkFilter(definition, request.filter)
  if (request.facets !== undefined) checkFacets(definition, request.facets)
  const all = index.segments.map((segment, i) => {
    const filters = index.filters[i]
    const visible = filters.matching([request.visible], countBits)
    const eligible = isEverything(request.filter)
      ? visible
      : filters.matching([request.visible, request.filter], countBits)
    return { segment, visible, eligible }
  })
  const statistics =
    request.mode === 'semantic' ? null : keywordStatistics(all, analyser.analyseQuery(request.query), request)
  const isNarrowed = request.everyWord === true && request.mode === 'keyword' && request.pin === undefined
  const parts = isNarrowed ? withEveryWord(all, statistics!) : all
  const direction = directionOf(index, request)
  const keyword = statistics === null ? null : parts.map((part) => scoreSegment(part, statistics))
  const pinned = pinnedOf(index, parts, request)
  const qualified = parts.map(({ segment, eligible }, i) => {
    if (request.mode === 'hybrid') return eligible.bits
    if (keyword !== null && pinned === null) return keyword[i].matched
    const bits = borrowCopy(keyword !== null ? keyword[i].matched : eligible.bits)
    if (keyword === null) {
      if (request.vector === null) bits.fill(0)
      intersect(bits, segment.withVectors)
    }
    for (const slot of pinned?.[i] ?? []) setBit(bits, slot)
    return bits
  })
  const relevant = request.mode === 'hybrid' && request.relevance !== undefined ? relevantOf(keyword!, pinned) : null
  const pins = pinsOf(request, pinned, statistics)
  const boosts = boostsOf(request, statistics)
  const preferred = request.groups === null ? null : membersOf(index, request.groups.prefer)
  return { request, parts, statistics, keyword, qualified, relevant, preferred, pins, boosts, direction }
}

function boostsOf(request: SearchRequest, statistics: KeywordStatistics | null): Plan['boosts'] {
  const { boosts = [] } = request
  if (boosts.length === 0) return null
  const unit = unitOf(request, statistics)
  return new Map(boosts.map(({ id, boost }) => [id, boost * unit]))
}

/** By segment, the slots of the pinned documents that match the request's filter; null when there are none. */
function pinnedOf(index: Searchable, parts: readonly SearchPart[], { pin }: SearchRequest): number[][] | null {
  if (pin === undefined) return null
  checkFilter(index.segments[0].definition, pin.filter)
  const pinned = parts.map(({ eligible }, i) => index.filters[i].listed(pin.filter, eligible.bits))
  return pinned.every((slots) => slots.length === 0) ? null : pinned
}

function relevantOf(keyword: readonly KeywordScores[], pinned: readonly (readonly number[])[] | null): Bits[] {
  if (pinned === null) return keyword.map(({ matched }) => matched)
  return keyword.map(({ matched }, i) => {
    const bits = borrowCopy(matched)
    for (const slot of pinned[i]) setBit(bits, slot)
    return bits
  })
}

function membersOf(index: Searchable, prefer: Filter): Bits[] {
  checkFilter(index.segments[0].definition, prefer)
  return index.filters.map((filters) => filters.matching([prefer], countBits).bits)
}

/**
 * @throws EngineUnavailable when the query's vector has another size than the stored ones
 * @throws RangeError when the query's vector is invalid
 */
function directionOf(index: Searchable, { vector }: SearchRequest): Direction | null {
  if (vector === null || index.dimensions === null) return null
  if (vector.length !== index.dimensions) {
    const sizes = `${vector.length} dimensions, those stored ${index.dimensions}`
    throw new EngineUnavailable(`the model's vectors have ${sizes}: run knowledge reindex`)
  }
  const length = norm(vector)
  if (!Number.isFinite(length)) throw new RangeError('a query vector with a component that is not finite')
  return length > 0 ? { vector, length } : null
}

/** Whether the search compares cosines; keyword search without `minSimilarity` does not. */
function needsBounds({ request, direction }: Plan): boolean {
  return direction !== null && (request.mode !== 'keyword' || request.minSimilarity !== null)
}

function boundBatch(index: Searchable, plans: readonly Plan[], memory: VectorMemory): Bounds[] {
  const requests = plans.map((plan) => ({ direction: plan.direction!, masks: plan.qualified }))
  return boundSimilarities(memory, index.segments, requests)
}

function rank(index: Searchable, plan: Plan, bounds: Bounds | null, memory: VectorMemory): Outcome {
  const outcome = attempt(() => new Ranker(index, plan, bounds, memory).answer())
  releaseKeyword(plan)
  return outcome
}

function releaseKeyword({ keyword }: Plan): void {
  for (const scores of keyword ?? []) release(scores)
}

function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
