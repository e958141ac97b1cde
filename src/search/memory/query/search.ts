/**
 * Answers a batch of searches over one index: first filters and keyword scores, then bounds of the cosines for all
 * searches together, then each ranking by itself.
 */
import type { Partition, QueryConcept, QueryReading } from '../../analysis/analysis.ts'
import { EngineUnavailable, type Filter, type SearchRequest } from '../../engine.ts'
import { allWordsOf } from './all-words.ts'
import { checkField, checkFilter, isEverything } from './filters.ts'
import { type Bits, countBits, intersect, setBit, unite } from '../columns/bitset.ts'
import { borrowCopy, endBorrowing } from '../columns/borrowed-bits.ts'
import { areAllFound, isCounting } from './counting.ts'
import { withEveryWord } from './every-word.ts'
import { checkFacets } from './facets.ts'
import { type Shares, sharesAcross, sharesOf } from '../../ranking/hybrid-score.ts'
import { languageByUse } from '../../ranking/language-by-use.ts'
import {
  keywordStatistics,
  type KeywordStatistics,
  release,
  type SearchPart,
  scoreSegment,
  type View,
  viewOf,
} from './keyword.ts'
import { namesOf } from './names.ts'
import { pinsOf, unitOf } from './pins.ts'
import { type Raises, raisesOf } from './raises.ts'
import type { Outcome } from './outcome.ts'
import type { Plan, Searchable } from './plan.ts'
import { Ranker } from './ranker.ts'
import { BATCH_MAX, boundSimilarities, type Bounds, type Direction } from './similarity.ts'
import { scaleOf } from './scale.ts'
import { synonymConcepts } from '../../ranking/synonyms.ts'
import { SortOrder } from './sort-order.ts'
import type { TextAnalyser } from '../../indexing/text-analyser.ts'
import { norm, type VectorMemory } from '../columns/vector-column.ts'
import { ViewMemory } from './view-memory.ts'
import { type WordCover, wordCover } from './word-cover.ts'

/** Longest query, in UTF-16 units, whose answer is cached. */
const SHORT_LENGTH_MAX = 3

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
  /** Plans that wait for the bounds of their cosines, with the indexes of their requests. */
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
    // A view that counts words on demand may answer without some of them at first, so such an answer is not cached.
    if (isShort(request) && (index.view ?? null) === null) {
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

/**
 * Tells whether a keyword search is for a few typed letters. They match the most documents, and all visitors type them.
 */
function isShort({ mode, prefixLast = false, query, vector, explain, boosts }: SearchRequest): boolean {
  const isPlain = vector === null && !explain && boosts === undefined
  return mode === 'keyword' && prefixLast && isPlain && query.length <= SHORT_LENGTH_MAX
}

/** Answers a short request from the cache, as long as the visible documents and their values have not changed. */
function answerShort(index: Searchable, request: SearchRequest, memory: VectorMemory, analyser: TextAnalyser): Outcome {
  const { version: _version, visible, ...rest } = request
  const makeAnswer = (): Outcome => {
    const plan = attempt(() => makePlan(index, request, analyser))
    return plan instanceof Error ? plan : rank(index, plan, null, memory)
  }
  const sets = attempt(() => {
    checkFilter(index.segments[0].definition, visible)
    return index.filters.map((filters) => filters.matching([visible], countBits))
  })
  if (sets instanceof Error) return sets
  const replaced = index.segments.reduce((sum, { valueRevision }) => sum + valueRevision, 0)
  return ViewMemory.of(sets).answer(`${replaced} ${JSON.stringify(rest)}`, makeAnswer)
}

function makePlan(index: Searchable, request: SearchRequest, analyser: TextAnalyser): Plan {
  const { definition } = index.segments[0]
  checkFilter(definition, request.visible)
  checkFilter(definition, request.filter)
  for (const { filter } of request.raises ?? []) checkFilter(definition, filter)
  if (request.facets !== undefined) checkFacets(definition, request.facets)
  if (request.byQuery && request.allWords) throw new RangeError('a search by query cannot ask for all words')
  const order = isCounting(request) ? null : orderOf(index, request)
  const all = index.segments.map((segment, i) => {
    const filters = index.filters[i]
    const visible = filters.matching([request.visible], countBits)
    const eligible = isEverything(request.filter)
      ? visible
      : filters.matching([request.visible, request.filter], countBits)
    return { segment, visible, eligible }
  })
  const view = index.view ?? viewOf(all)
  const reading = request.mode === 'semantic' || areAllFound(request) ? null : analyser.readQuery(request.query)
  const statistics = reading === null ? null : statisticsOf(view, reading.concepts, request, analyser)
  const isNarrowed = request.everyWord === true && request.mode === 'keyword' && request.pin === undefined
  const parts = isNarrowed ? withEveryWord(all, statistics!) : all
  const direction = directionOf(index, request)
  const scale = scaleOf(request)
  const pinned = pinnedOf(index, parts, request)
  const raises = raisesOf(request, parts, index.filters, unitOf(request, statistics) || 1)
  const cover = coverOf(parts, view, request, statistics, analyser)
  const allWords = allWordsOf(parts, request, statistics, cover)
  const names = isCounting(request) ? null : namesOf(request, statistics, cover)
  const areScored = statistics !== null && !(isCounting(request) && allWords !== null)
  const keyword = areScored ? parts.map((part) => scoreSegment(part, statistics)) : null
  const matched = allWords?.qualified ?? keyword?.map((scores) => scores.matched)
  const qualified = parts.map(({ segment, eligible }, i) => {
    if (request.mode === 'hybrid' && !allWords?.mustBeComplete) return eligible.bits
    if (matched !== undefined && pinned === null && raises === null) return matched[i]
    const bits = borrowCopy(matched !== undefined ? matched[i] : eligible.bits)
    if (request.mode === 'semantic') {
      if (request.vector === null) bits.fill(0)
      intersect(bits, segment.withVectors)
    }
    for (const slot of pinned?.[i] ?? []) setBit(bits, slot)
    if (raises !== null) unite(bits, raises.qualifying[i])
    return bits
  })
  const isCut = request.mode === 'hybrid' && request.relevance !== undefined && !allWords?.mustBeComplete
  const relevant = isCut ? relevantOf(matched!, pinned, raises) : null
  const pins = pinsOf(request, pinned, statistics)
  const boosts = isCounting(request) ? null : boostsOf(request, statistics)
  const preferred = request.groups === null ? null : membersOf(index, request.groups.prefer)
  const isByQuery = request.mode === 'hybrid' && request.byQuery && !isCounting(request)
  const shares = isByQuery ? sharesFor(request, reading!, view) : null
  const rateLanguage = rateLanguageOf(view, request, analyser)
  const ranking = { statistics, keyword, cover, allWords, names, pins, raises, order, boosts, shares, direction }
  return {
    request,
    parts,
    qualified,
    relevant,
    preferred,
    rateLanguage,
    ...ranking,
    scale: direction === null ? null : scale,
  }
}

function sharesFor({ isContextual }: SearchRequest, { language, concepts }: QueryReading, view: View): Shares {
  if (isContextual === true) return sharesAcross((partition) => view.documents(partition))
  return sharesOf(language ?? languageByUse(concepts, view))
}

/** Returns the worth of a request's words in a view. */
export function statisticsOf(
  view: View,
  concepts: readonly QueryConcept[],
  request: SearchRequest,
  analyser: TextAnalyser,
): KeywordStatistics {
  const synonyms = synonymConcepts(request.synonyms, (text) => analyser.readQuery(text).concepts)
  return keywordStatistics(view, concepts, request, synonyms)
}

/** Returns the cover of the documents by the query's words; null for a request that needs none. */
function coverOf(
  parts: readonly SearchPart[],
  view: View,
  request: SearchRequest,
  statistics: KeywordStatistics | null,
  analyser: TextAnalyser,
): WordCover | null {
  const { rated, allWords, named } = request
  const isNeeded = rated !== undefined || (statistics !== null && (allWords ?? named) !== undefined)
  if (!isNeeded) return null
  return wordCover(
    parts,
    statistics ?? statisticsOf(view, analyser.readQuery(request.query).concepts, request, analyser),
    named !== undefined && statistics !== null,
    view.complete,
  )
}

/**
 * Returns the query's language for rating, or null if it is not sure. Umlauts alone do not show a language well enough
 * to call hits relevant that have no word of the query.
 */
function rateLanguageOf(
  view: View,
  { byQuery, rated, mode, query, isContextual }: SearchRequest,
  analyser: TextAnalyser,
): Partition | null {
  if (!byQuery || rated === undefined || mode === 'keyword' || isContextual === true) return null
  const { concepts, language, hasFunctionWord } = analyser.readQuery(query)
  return hasFunctionWord ? language : languageByUse(concepts, view)
}

/** @throws RangeError when the definition does not declare a field of the order */
function orderOf({ segments, filters }: Searchable, { sort }: SearchRequest): SortOrder | null {
  if (sort === undefined) return null
  const { definition } = segments[0]
  if ('number' in sort) {
    checkField(definition, sort.number, definition.numberFields, 'number')
    if (sort.instead !== undefined) {
      checkField(definition, sort.instead.field, definition.numberFields, 'number')
      checkFilter(definition, sort.instead.where)
    }
  }
  return new SortOrder(segments, filters, sort)
}

function boostsOf(request: SearchRequest, statistics: KeywordStatistics | null): Plan['boosts'] {
  const { boosts = [] } = request
  if (boosts.length === 0) return null
  const unit = unitOf(request, statistics)
  return new Map(boosts.map(({ id, boost }) => [id, boost * unit]))
}

/** Returns by segment the slots of the pinned documents that match the request's filter; null when there are none. */
function pinnedOf(index: Searchable, parts: readonly SearchPart[], { pin }: SearchRequest): number[][] | null {
  if (pin === undefined) return null
  checkFilter(index.segments[0].definition, pin.filter)
  const pinned = parts.map(({ eligible }, i) => index.filters[i].listed(pin.filter, eligible.bits))
  return pinned.every((slots) => slots.length === 0) ? null : pinned
}

function relevantOf(
  matched: readonly Bits[],
  pinned: readonly (readonly number[])[] | null,
  raises: Raises | null,
): readonly Bits[] {
  if (pinned === null && raises === null) return matched
  return matched.map((each, i) => {
    const bits = borrowCopy(each)
    for (const slot of pinned?.[i] ?? []) setBit(bits, slot)
    if (raises !== null) unite(bits, raises.qualifying[i])
    return bits
  })
}

function membersOf(index: Searchable, prefer: Filter): Bits[] {
  checkFilter(index.segments[0].definition, prefer)
  return index.filters.map((filters) => filters.matching([prefer], countBits).bits)
}

/**
 * Returns the direction of the query's vector, or null when every cosine is 0.
 * @throws EngineUnavailable when the query's vector has another size than the stored vectors, unless the mode is
 *   keyword
 * @throws RangeError when the query's vector is invalid
 */
function directionOf(index: Searchable, { mode, vector }: SearchRequest): Direction | null {
  if (vector === null || index.dimensions === null) return null
  if (vector.length !== index.dimensions) {
    if (mode === 'keyword') return null
    const sizes = `${vector.length} dimensions, those stored ${index.dimensions}`
    throw new EngineUnavailable(`the model's vectors have ${sizes}: run knowledge reindex`)
  }
  const length = norm(vector)
  if (!Number.isFinite(length)) throw new RangeError('a query vector with a component that is not finite')
  return length > 0 ? { vector, length } : null
}

/** Tells whether the search compares cosines; keyword search without `minSimilarity` does not. */
function needsBounds({ request, relevant, direction }: Plan): boolean {
  const { mode, minSimilarity, rated } = request
  if (direction === null) return false
  if (mode === 'keyword' || !isCounting(request)) return mode !== 'keyword' || minSimilarity !== null
  return minSimilarity !== null || relevant !== null || (rated?.min ?? null) !== null
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

/** Returns the result of `work`, or the error that it throws. */
function attempt<T>(work: () => T): T | Error {
  try {
    return work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
