/**
 * Chooses the documents of a replica that a search ranks: all findable ones where they are few, else the most
 * promising.
 */
import type { Queries } from '../../platform/database/database.ts'
import { PARTITIONS } from '../analysis/analysis.ts'
import type { IndexDefinition, SearchRequest } from '../engine.ts'
import type { KeywordStatistics } from '../memory/query/keyword.ts'
import {
  type Eligible,
  havingAll,
  havingAny,
  listByWords,
  listNearest,
  listSorted,
  listUpTo,
  orderOf,
  SAMPLED,
  type QueryWord,
} from './candidates-store.ts'
import { all, any, type Condition, conditionOf, EVERYTHING } from './filter-store.ts'
import { lexemeOf } from './lexemes.ts'
import type { ReplicaTables } from './tables-store.ts'

/** Most findable documents that are all ranked, and the highest offset up to which pages are looked for by rank. */
const EXACT_MAX = 2_000
/** Most bytes of documents that a search reads: a few with a million characters take as much as thousands of others. */
export const STORED_BYTES_MAX = 64 * 2 ** 20
/** Passages that a search takes from the index of vectors, beyond those that the page needs. */
const NEAREST_EXTRA = 80
/** Most documents that are scored by words, to choose the best. */
const SCORED_MAX = 10_000
/** Documents that a search takes by words and by an order, beyond those that the page needs. */
const LISTED_EXTRA = 150

export interface Choice {
  /** Numbers of the documents, the most likely ones on the page first. */
  readonly numbers: readonly number[]
  /** Whether every findable document is chosen. */
  readonly isWhole: boolean
  /** Number of documents that were skipped, for a page far down an order. */
  readonly skipped: number
}

/** A replica, and the transaction in which a search reads it. */
export interface OpenReplica {
  readonly queries: Queries
  readonly definition: IndexDefinition
  readonly tables: ReplicaTables
  readonly dimensions: number | null
}

/** Returns the number of passages that a search takes from the index of vectors, unless it is exact. */
export function nearestPassages(request: Pick<SearchRequest, 'offset' | 'limit'>): number {
  return NEAREST_EXTRA + pageEnd(request)
}

/**
 * Chooses the documents that a search ranks.
 * @param statistics null for a search that compares no words
 * @param exactMax most findable documents that are all chosen
 */
export async function chooseCandidates(
  replica: OpenReplica,
  request: SearchRequest,
  statistics: KeywordStatistics | null,
  exactMax = EXACT_MAX,
): Promise<Choice> {
  const { queries, definition, tables } = replica
  const words = wordsOf(statistics)
  const eligible = all([conditionOf(definition, request.visible), conditionOf(definition, request.filter)])
  const extras = extraConditions(definition, request)
  const among = (condition: Condition): Eligible => ({ queries, tables, condition: all([eligible, condition]) })
  const findable =
    request.mode === 'keyword'
      ? among(any([havingAny(words.flatMap(({ lexemes }) => lexemes)), ...extras]))
      : among(EVERYTHING)
  const limits = { documents: exactMax, bytes: STORED_BYTES_MAX }
  const allNumbers = await listUpTo(findable, limits)
  if (allNumbers !== null) return { numbers: allNumbers, isWhole: true, skipped: 0 }
  const order = orderOf(definition, request.sort)
  const isUnranked = words.length === 0 && request.vector === null
  if (isUnranked && request.offset > EXACT_MAX) {
    // The order alone decides, and the database follows it however far down the page is.
    const bounds = { limit: LISTED_EXTRA + request.limit, offset: request.offset }
    return { numbers: await listSorted(findable, order, bounds), isWhole: false, skipped: request.offset }
  }
  const end = pageEnd(request)
  const lists: (readonly number[])[] = []
  // Documents that the words and the vector leave equal come newest first.
  if (isUnranked || request.limit === 0) {
    lists.push(await listSorted(findable, orderOf(definition), { limit: Math.max(end, exactMax) }))
  }
  if (request.sort !== undefined) lists.push(await listSorted(findable, order, { limit: LISTED_EXTRA + end }))
  for (const condition of extras) lists.push((await listUpTo(among(condition), limits)) ?? [])
  if (request.mode !== 'semantic' && words.length > 0) {
    const bounds = { scoredMax: SCORED_MAX, limit: LISTED_EXTRA + end }
    for (const condition of conditionsOf(words)) {
      lists.push(await listByWords(among(condition), words, statistics!.meanLength, bounds))
    }
  }
  if (request.mode !== 'keyword' && request.vector !== null && replica.dimensions === request.vector.length) {
    const bounds = { passages: nearestPassages(request), documentsMin: end }
    lists.push(await listNearest(among(EVERYTHING), request.vector, bounds))
  }
  return { numbers: inTurns(lists), isWhole: false, skipped: 0 }
}

/** Returns the rank at which the page ends; a page behind `EXACT_MAX` counts as the page there. */
function pageEnd({ offset, limit }: Pick<SearchRequest, 'offset' | 'limit'>): number {
  return Math.min(offset, EXACT_MAX) + limit
}

/** Returns the first member of each list, then the second of each, and so on, without repetitions. */
function inTurns(lists: readonly (readonly number[])[]): number[] {
  const members = new Set<number>()
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let place = 0; place < longest; place++) {
    for (const list of lists) if (place < list.length) members.add(list[place])
  }
  return [...members]
}

/**
 * Returns the conditions of documents that need not match the query: pinned ones, and those that raises let qualify.
 */
function extraConditions(definition: IndexDefinition, { pin, raises = [] }: SearchRequest): Condition[] {
  const filters = [...(pin === undefined ? [] : [pin.filter]), ...raises.filter((each) => each.qualifies).map(filterOf)]
  return filters.map((filter) => conditionOf(definition, filter))
}

function filterOf({ filter }: NonNullable<SearchRequest['raises']>[number]) {
  return filter
}

/**
 * Returns conditions under which to look for the best documents by words: to have all words, and to have a rare word.
 * Where all words are frequent, documents of the sample stand for the others.
 */
function conditionsOf(words: readonly QueryWord[]): Condition[] {
  const rare: QueryWord[] = []
  let documents = 0
  for (const word of words.toSorted((a, b) => a.frequency - b.frequency)) {
    documents += word.frequency
    if (documents > SCORED_MAX) break
    rare.push(word)
  }
  const lexemesOf = (some: readonly QueryWord[]): string[] => some.flatMap(({ lexemes }) => lexemes)
  const byNumber = Map.groupBy(
    words.filter(({ wordNumber }) => wordNumber !== null),
    ({ wordNumber }) => wordNumber,
  )
  return [
    ...(byNumber.size > 1 && rare.length < words.length ? [havingAll([...byNumber.values()].map(lexemesOf))] : []),
    rare.length > 0 ? havingAny(lexemesOf(rare)) : all([SAMPLED, havingAny(lexemesOf(words))]),
  ]
}

/** Returns the query's words that a visible document has. */
function wordsOf(statistics: KeywordStatistics | null): QueryWord[] {
  if (statistics === null) return []
  return statistics.concepts.flatMap((concept, i): QueryWord[] => {
    const { terms, weight, ifKnown, typed, wordNumber } = concept
    const frequency = statistics.frequencies[i]
    if (frequency === 0) return []
    const lexemes = PARTITIONS.flatMap((partition) => {
      const term = terms[partition]
      return term === null ? [] : [lexemeOf({ partition, term })]
    })
    const isPart = (weight < 1 || ifKnown === true) && typed === undefined
    return [{ lexemes, worth: statistics.worths[i], frequency, wordNumber: isPart ? null : wordNumber }]
  })
}
