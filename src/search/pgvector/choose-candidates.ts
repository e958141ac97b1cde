/** Which documents of a replica a search ranks: all that can be found where they are few, else the most promising. */
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
  type WantedWord,
} from './candidates-store.ts'
import { all, any, type Condition, conditionOf, EVERYTHING } from './filter-store.ts'
import { lexemeOf } from './lexemes.ts'
import type { ReplicaTables } from './tables-store.ts'

/** Up to so many documents that can be found are all ranked, and pages up to here are looked for by rank. */
const EXACT_MAX = 2_000
/** What a search reads of documents at most: a few with a million characters take as much as thousands of others. */
export const STORED_BYTES_MAX = 64 * 2 ** 20
/** Passages that are taken from the index of vectors, beyond those that the page needs. */
const NEAREST_WANTED = 80
/** Documents that are scored by words, to choose the best. */
const SCORED_MAX = 10_000
/** Documents that are taken by words and by an order, beyond those that the page needs. */
const LISTED_WANTED = 150

export interface Choice {
  /** Those that are most likely on the page come first. */
  readonly numbers: readonly number[]
  /** Whether no document that can be found is missing. */
  readonly isWhole: boolean
  /** How many documents of the order were passed over, of a page far down an order. */
  readonly skipped: number
}

/** A replica, and the transaction that a search reads it in. */
export interface OpenReplica {
  readonly queries: Queries
  readonly definition: IndexDefinition
  readonly tables: ReplicaTables
  readonly dimensions: number | null
}

/** How many passages a search takes from the index of vectors, unless it is exact. */
export function nearestWanted(request: Pick<SearchRequest, 'offset' | 'limit'>): number {
  return NEAREST_WANTED + pageEnd(request)
}

/** @param statistics null in semantic mode without rating, which looks for no words */
export async function chooseCandidates(
  replica: OpenReplica,
  request: SearchRequest,
  statistics: KeywordStatistics | null,
  exactMax = EXACT_MAX,
): Promise<Choice> {
  const { queries, definition, tables } = replica
  const words = wordsOf(statistics)
  const eligible = all([conditionOf(definition, request.visible), conditionOf(definition, request.filter)])
  const chosen = chosenBy(definition, request)
  const among = (condition: Condition): Eligible => ({ queries, tables, condition: all([eligible, condition]) })
  const found =
    request.mode === 'keyword'
      ? among(any([havingAny(words.flatMap(({ lexemes }) => lexemes)), ...chosen]))
      : among(EVERYTHING)
  const limits = { documents: exactMax, bytes: STORED_BYTES_MAX }
  const few = await listUpTo(found, limits)
  if (few !== null) return { numbers: few, isWhole: true, skipped: 0 }
  const order = orderOf(definition, request.sort)
  const isUnranked = words.length === 0 && request.vector === null
  if (isUnranked && request.offset > EXACT_MAX) {
    // The order alone decides, and the database follows it however far down the page is.
    const bounds = { wanted: LISTED_WANTED + request.limit, skipped: request.offset }
    return { numbers: await listSorted(found, order, bounds), isWhole: false, skipped: request.offset }
  }
  const page = pageEnd(request)
  const lists: (readonly number[])[] = []
  // Whatever the words and the vector leave equal comes newest first.
  if (isUnranked || request.limit === 0) {
    lists.push(await listSorted(found, orderOf(definition), { wanted: Math.max(page, exactMax) }))
  }
  if (request.sort !== undefined) lists.push(await listSorted(found, order, { wanted: LISTED_WANTED + page }))
  for (const condition of chosen) lists.push((await listUpTo(among(condition), limits)) ?? [])
  if (request.mode !== 'semantic' && words.length > 0) {
    const bounds = { scored: SCORED_MAX, wanted: LISTED_WANTED + page }
    for (const condition of conditionsOf(words)) {
      lists.push(await listByWords(among(condition), words, statistics!.meanLength, bounds))
    }
  }
  if (request.mode !== 'keyword' && request.vector !== null && replica.dimensions === request.vector.length) {
    const bounds = { wanted: nearestWanted(request), least: page }
    lists.push(await listNearest(among(EVERYTHING), request.vector, bounds))
  }
  return { numbers: inTurns(lists), isWhole: false, skipped: 0 }
}

/** Where the page ends, of those that are looked for by rank. */
function pageEnd({ offset, limit }: Pick<SearchRequest, 'offset' | 'limit'>): number {
  return Math.min(offset, EXACT_MAX) + limit
}

/** The first of each list, then the second of each, and so on, without those that are there already. */
function inTurns(lists: readonly (readonly number[])[]): number[] {
  const taken = new Set<number>()
  const longest = Math.max(0, ...lists.map((list) => list.length))
  for (let place = 0; place < longest; place++) {
    for (const list of lists) if (place < list.length) taken.add(list[place])
  }
  return [...taken]
}

/** What is found without matching the query: what the request pins, and what raises let qualify. */
function chosenBy(definition: IndexDefinition, { pin, raises = [] }: SearchRequest): Condition[] {
  const filters = [...(pin === undefined ? [] : [pin.filter]), ...raises.filter((each) => each.qualifies).map(filterOf)]
  return filters.map((filter) => conditionOf(definition, filter))
}

function filterOf({ filter }: NonNullable<SearchRequest['raises']>[number]) {
  return filter
}

/**
 * Where the best documents by words are looked for: those with all words, and those with a rare one. Where all words
 * are frequent, those of the sample stand for the others.
 */
function conditionsOf(words: readonly WantedWord[]): Condition[] {
  const rare: WantedWord[] = []
  let documents = 0
  for (const word of words.toSorted((a, b) => a.frequency - b.frequency)) {
    documents += word.frequency
    if (documents > SCORED_MAX) break
    rare.push(word)
  }
  const lexemesOf = (some: readonly WantedWord[]): string[] => some.flatMap(({ lexemes }) => lexemes)
  const places = Map.groupBy(
    words.filter(({ place }) => place !== null),
    ({ place }) => place,
  )
  return [
    ...(places.size > 1 && rare.length < words.length ? [havingAll([...places.values()].map(lexemesOf))] : []),
    rare.length > 0 ? havingAny(lexemesOf(rare)) : all([SAMPLED, havingAny(lexemesOf(words))]),
  ]
}

/** Those of the query's words that a visible document has. */
function wordsOf(statistics: KeywordStatistics | null): WantedWord[] {
  if (statistics === null) return []
  return statistics.concepts.flatMap((concept, i): WantedWord[] => {
    const { terms, weight, ifKnown, typed, wordNumber } = concept
    const frequency = statistics.frequencies[i]
    if (frequency === 0) return []
    const lexemes = PARTITIONS.flatMap((partition) => {
      const term = terms[partition]
      return term === null ? [] : [lexemeOf({ partition, term })]
    })
    const isPart = (weight < 1 || ifKnown === true) && typed === undefined
    return [{ lexemes, worth: statistics.worths[i], frequency, place: isPart ? null : wordNumber }]
  })
}
