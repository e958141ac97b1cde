/** Which documents of a replica a search ranks: all that can be found where they are few, else the most promising. */
import type { Queries } from '../../platform/database/database.ts'
import { PARTITIONS } from '../analysis/analysis.ts'
import type { IndexDefinition, SearchRequest } from '../engine.ts'
import type { KeywordStatistics } from '../memory/keyword.ts'
import {
  type Eligible,
  havingAll,
  havingAny,
  listByWords,
  listNearest,
  listSorted,
  listUpTo,
  orderBy,
  SAMPLED,
  type WantedWord,
} from './candidates-store.ts'
import { all, any, type Condition, conditionOf, EVERYTHING } from './filter-store.ts'
import { lexemeOf } from './lexemes.ts'
import type { ReplicaTables } from './tables-store.ts'

/** Up to so many documents that can be found are all ranked. */
const EXACT_MAX = 2_000
/** Passages that are taken from the index of vectors, beyond those that the page needs. */
const NEAREST_WANTED = 80
/** Documents that are scored by words, to choose the best. */
const SCORED_MAX = 10_000
/** Documents that are taken by words, by an order, by a pin and by each raise. */
const LISTED_WANTED = 150

export interface Choice {
  readonly numbers: readonly number[]
  /** Whether no document that can be found is missing. */
  readonly isWhole: boolean
}

export interface Replica {
  readonly queries: Queries
  readonly definition: IndexDefinition
  readonly tables: ReplicaTables
  readonly dimensions: number | null
}

/** How many passages a search takes from the index of vectors, unless it is exact. */
export function nearestWanted({ offset, limit }: Pick<SearchRequest, 'offset' | 'limit'>): number {
  return NEAREST_WANTED + offset + limit
}

/** @param statistics null in semantic mode without rating, which looks for no words */
export async function chooseCandidates(
  replica: Replica,
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
  const few = await listUpTo(found, exactMax)
  if (few !== null) return { numbers: few, isWhole: true }
  const page = request.offset + request.limit
  const numbers = new Set<number>()
  const add = (more: readonly number[]): void => more.forEach((number) => numbers.add(number))
  for (const condition of chosen) add((await listUpTo(among(condition), exactMax)) ?? [])
  if (request.mode !== 'semantic' && words.length > 0) {
    const bounds = { scored: SCORED_MAX, wanted: LISTED_WANTED + page }
    for (const condition of conditionsOf(words)) {
      add(await listByWords(among(condition), words, statistics!.meanLength, bounds))
    }
  }
  if (request.mode !== 'keyword' && request.vector !== null && replica.dimensions === request.vector.length) {
    const bounds = { wanted: nearestWanted(request), least: page }
    add(await listNearest(among(EVERYTHING), request.vector, bounds))
  }
  // Whatever the words and the vector leave equal comes newest first.
  const isUnranked = request.limit === 0 || (words.length === 0 && request.vector === null)
  if (isUnranked) add(await listSorted(found, orderBy(definition, 'change'), true, exactMax))
  if (request.sort !== undefined) {
    const by = orderBy(definition, request.sort)
    add(await listSorted(found, by, request.sort.descending, LISTED_WANTED + page))
  }
  return { numbers: [...numbers], isWhole: false }
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
