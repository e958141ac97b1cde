/**
 * Searches in a deliberately plain way: it looks at every document in float64. Tests compare the engine's answers with
 * its answers.
 */
import { type Partition, PARTITIONS, type QueryConcept } from '../../../src/search/analysis/analysis.ts'
import { K1, saturation } from '../../../src/search/ranking/bm25.ts'
import { boundedOrder } from '../../../src/search/ranking/bounded-order.ts'
import {
  corrections,
  expand,
  explainedTerms,
  idfsOf,
  lastWordOf,
  type ScoredConcept,
  wholeOf,
  worthOf,
} from '../../../src/search/ranking/expansion.ts'
import {
  hybridScore,
  insteadOf,
  type Shares,
  SPREAD_RANK,
  sharesAcross,
  sharesOf,
  weightOf,
} from '../../../src/search/ranking/hybrid-score.ts'
import { languageByUse } from '../../../src/search/ranking/language-by-use.ts'
import { boundConcepts } from '../../../src/search/ranking/query-bound.ts'
import type {
  Correction,
  FacetRequest,
  Facets,
  Filter,
  HitExplanation,
  IndexDefinition,
  IndexDocument,
  SearchAnswer,
  SearchHit,
  SearchRequest,
  Sort,
} from '../../../src/search/engine.ts'
import { synonymConcepts } from '../../../src/search/ranking/synonyms.ts'
import { editDistance } from '../../../src/platform/edit-distance.ts'
import type { NearTerm } from '../../../src/search/memory/columns/sorted-terms.ts'
import { nameMatcher } from '../../../src/search/suggest/begun-names.ts'
import { wordsOfName } from '../../../src/search/analysis/name-words.ts'
import { ANSWERS_MAX } from '../../../src/search/memory/query/word-cover.ts'
import { nameMatch } from '../../../src/search/ranking/name-match.ts'
import { relevanceOf } from '../../../src/search/ranking/relevance.ts'
import { drain } from '../../../src/platform/threads/steps.ts'
import { TERMS_MAX } from '../../../src/search/indexing/prepared-document.ts'
import { isProperty, numberOfValue } from '../../../src/search/indexing/property-values.ts'
import type { TextAnalyser } from '../../../src/search/indexing/text-analyser.ts'

/** A hit without a change number, because plain documents have none. */
type PlainHit = Omit<SearchHit, 'seq'>
type PlainAnswer = Omit<SearchAnswer, 'timing' | 'hits'> & { readonly hits: readonly PlainHit[] }

interface Scored {
  readonly document: IndexDocument
  /** Share of the weight of the query's words that the document has; 1 only if it has all words. */
  readonly share: number
  readonly relevance: number
  readonly similarity: number
  /** What counts in place of the similarity. */
  readonly scaled: number
  readonly score: number
  readonly explanation: HitExplanation
}

/**
 * Returns the cosine in float64, summed in index order; 0 when either vector is zero. That of a stored vector that is
 * longer than 1 is multiplied by its length.
 * @param b stored vector
 */
export function cosine(a: Float32Array, b: Float32Array): number {
  let dot = 0
  let squaresA = 0
  let squaresB = 0
  for (let i = 0; i < a.length; i++) {
    dot += a[i] * b[i]
    squaresA += a[i] * a[i]
    squaresB += b[i] * b[i]
  }
  if (squaresA === 0 || squaresB === 0) return 0
  const length = Math.sqrt(squaresB)
  const value = dot / (Math.sqrt(squaresA) * (length > 1.001 ? 1 : length))
  return Math.abs(value) < 1 + 1e-12 ? Math.max(-1, Math.min(1, value)) : value
}

/**
 * Returns the values of a field or property; undefined without any. A property's value may be there without its text.
 */
function valuesOf(document: IndexDocument, name: string): readonly string[] | undefined {
  if (isProperty(name)) return document.properties?.[name]
  const values = document.keys[name] ?? []
  return values.length === 0 ? undefined : values
}

function numberIn(document: IndexDocument, name: string): number | null {
  if (!isProperty(name)) return document.numbers[name] ?? null
  return (document.properties?.[name] ?? []).map(numberOfValue).find((value) => !Number.isNaN(value)) ?? null
}

/**
 * Compares by the value that the request sorts by, which comes before relevance. Documents without a value come last.
 */
function compareSorted(sort: Sort, a: IndexDocument, b: IndexDocument): number {
  const keyOf = (document: IndexDocument): number | string | null => {
    if (!('number' in sort)) return document.sortText === '' ? null : (document.sortText ?? null)
    const isReplaced = sort.instead !== undefined && matches(sort.instead.where, document)
    return numberIn(document, isReplaced ? sort.instead.field : sort.number)
  }
  const [one, other] = [keyOf(a), keyOf(b)]
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return (one < other ? -1 : 1) * (sort.descending ? -1 : 1)
}

/** Tells whether a document matches; see `Filter` for the meaning of each form. */
export function matches(filter: Filter, document: IndexDocument): boolean {
  if ('field' in filter) {
    const values = valuesOf(document, filter.field) ?? []
    return filter.anyOf.some((value) => values.includes(value))
  }
  if ('present' in filter) return valuesOf(document, filter.present) !== undefined
  if ('number' in filter) {
    const value = numberIn(document, filter.number)
    if ('anyOf' in filter) return value !== null && filter.anyOf.includes(value)
    if (value === null) return filter.orMissing
    return (filter.above === null || value > filter.above) && (filter.below === null || value <= filter.below)
  }
  if ('all' in filter) return filter.all.every((part) => matches(part, document))
  if ('any' in filter) return filter.any.some((part) => matches(part, document))
  return !matches(filter.not, document)
}

function compare(a: Scored, b: Scored): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.document.changedAt !== b.document.changedAt) return b.document.changedAt - a.document.changedAt
  return a.document.id < b.document.id ? -1 : 1
}

/** Returns the weighted frequency of each term, and the sum of all. */
function weightedTerms(definition: IndexDefinition, document: IndexDocument, analyser: TextAnalyser) {
  const frequencies = new Map<string, number>()
  let length = 0
  const name = { terms: new Set<string>(), words: 0 }
  const partition = analyser.partitionOf(document.language)
  const add = (term: string, amount: number): void => {
    if (frequencies.has(term) || frequencies.size < TERMS_MAX)
      frequencies.set(term, (frequencies.get(term) ?? 0) + amount)
  }
  for (const [field, weight] of Object.entries(definition.textFields)) {
    const occurrences: { term: string; share: number }[] = []
    let words = 0
    for (const text of document.text[field] ?? []) {
      words += drain(
        analyser.analysingDocument(partition, text, (term, share) => void occurrences.push({ term, share })),
      )
    }
    length += weight * words
    if (field === definition.nameField) {
      name.words = words
    }
    const isOnce = definition.onceFields?.includes(field) ?? false
    const byTerm = Map.groupBy(occurrences, ({ term }) => term)
    for (const [term, all] of byTerm) {
      const shares = all.map(({ share }) => share)
      let heaviest = 0
      for (const share of shares) {
        const counted = isOnce ? Math.max(0, share - heaviest) : share
        heaviest = Math.max(heaviest, share)
        add(term, weight * counted)
      }
    }
    if (field !== definition.nameField) continue
    for (const { term, share } of occurrences) if (share === 1 && frequencies.has(term)) name.terms.add(term)
  }
  return { partition, frequencies, length, name }
}

type Terms = ReturnType<typeof weightedTerms>

function frequencyIn(terms: Terms, concept: QueryConcept): number {
  const term = concept.terms[terms.partition]
  return term === null ? 0 : (terms.frequencies.get(term) ?? 0)
}

function bestPassage(document: IndexDocument, vector: Float32Array | null) {
  let best: { similarity: number; passage: HitExplanation['passage'] } = { similarity: 0, passage: null }
  if (vector === null) return best
  for (const [index, passage] of document.passages.entries()) {
    const similarity = cosine(vector, passage.vector)
    if (best.passage === null || similarity > best.similarity) {
      best = { similarity, passage: { index, start: passage.start, end: passage.end } }
    }
  }
  return best
}

/** Returns the scaled cosine of a document; 0 without vectors, and for a query whose vector has no direction. */
function scaledOf(document: IndexDocument, { vector, scale = { factor: 1, offset: 0 } }: SearchRequest): number {
  const { similarity, passage } = bestPassage(document, vector)
  const isCompared = passage !== null && vector!.some((component) => component !== 0)
  return isCompared ? scale.factor * similarity + scale.offset : 0
}

/**
 * Returns the worth of each number that concepts answer: as much as the first concept that answers it, divided among
 * its numbers.
 */
function worthsByNumber(concepts: readonly ScoredConcept[], idfs: readonly number[]): Map<number, number> {
  const worths = new Map<number, number>()
  for (const [i, { answers = [] }] of concepts.entries()) {
    const required = answers.filter((number) => number < ANSWERS_MAX)
    for (const number of required) if (!worths.has(number)) worths.set(number, idfs[i] / required.length)
  }
  return worths
}

function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((total, number) => total + number, 0)
}

/** A hit, and the hit whose score decides its place: the hit itself, or the best of its group. */
interface GroupHit {
  readonly shown: Scored
  readonly leader: Scored
}

/** Returns one member per group, ordered by the groups' best members. */
function onePerGroup(ranked: readonly Scored[], prefer: Filter): GroupHit[] {
  const groups = new Map<string, Scored[]>()
  for (const hit of ranked) groups.set(hit.document.group, [...(groups.get(hit.document.group) ?? []), hit])
  return [...groups.values()].map((members) => ({
    shown: members.find((hit) => matches(prefer, hit.document)) ?? members[0],
    leader: members[0],
  }))
}

function expanded(request: SearchRequest, terms: readonly Terms[], analyser: TextAnalyser): ScoredConcept[] {
  const within = (partition: Partition) => terms.filter((each) => each.partition === partition)
  const termsOf = (partition: Partition) => within(partition).flatMap((each) => [...each.frequencies.keys()])
  const frequency = (partition: Partition, term: string) =>
    within(partition).filter((each) => each.frequencies.has(term)).length
  const frequencyOf = (concept: QueryConcept) => terms.filter((each) => frequencyIn(each, concept) > 0).length
  return expand(
    boundConcepts(analyser.readQuery(request.query).concepts, frequencyOf, terms.length),
    {
      fuzzy: request.fuzzy ?? false,
      prefix: request.prefixLast ? lastWordOf(request.query) : null,
      synonyms: synonymConcepts(request.synonyms, (text) => analyser.readQuery(text).concepts),
      wholePairs: request.allWords !== undefined,
    },
    {
      frequency,
      frequencyAtMost: frequency,
      eachWithPrefix: (partition, prefix, visit) => {
        for (const term of termsOf(partition)) if (term.startsWith(prefix)) visit(term, 1)
      },
      near: (partition, word, limit, areBegun) => nearOnes(termsOf(partition), word, limit, areBegun),
      remembered: (_key, make) => make(),
    },
  )
}

/** Returns the terms within `limit` edits of `word` that start with the same unit, by comparing each. */
export function nearOnes(terms: readonly string[], word: string, limit: number, areBegun: boolean): NearTerm[] {
  return terms.flatMap((term) => {
    if (term[0] !== word[0]) return []
    const compared = areBegun ? Array.from(term, (_, i) => term.slice(0, i + 1)) : [term]
    const edits = compared.map((each) => editDistance(each, word, limit)).filter((each) => each >= 0)
    return edits.length === 0 ? [] : [{ term, edits: Math.min(...edits) }]
  })
}

/** Counts the facets of qualified documents, or of groups if documents are grouped. */
function countFacets(
  ranked: readonly Scored[],
  facets: FacetRequest,
  areGrouped: boolean,
  corrected: readonly Correction[],
): Facets {
  const count = (wanted: (document: IndexDocument) => boolean): number => {
    const documents = ranked.map((hit) => hit.document).filter(wanted)
    return areGrouped ? new Set(documents.map((document) => document.group)).size : documents.length
  }
  return {
    keys: facets.keys.map(({ field, limit, beginning }) => {
      const values = [...new Set(ranked.flatMap((hit) => valuesOf(hit.document, field) ?? []))].filter(
        (value) => beginning === undefined || nameMatcher(beginning, corrected)(wordsOfName(value)),
      )
      const counted = values.map((value) => ({
        value,
        count: count((document) => (valuesOf(document, field) ?? []).includes(value)),
      }))
      counted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      return { field, values: counted.slice(0, limit) }
    }),
    numbers: facets.numbers.map(({ field, instead, ranges }) => {
      const fieldOf = (document: IndexDocument): string =>
        instead !== undefined && matches(instead.where, document) ? instead.field : field
      const numberOf = (document: IndexDocument): number | null => numberIn(document, fieldOf(document))
      const values = ranked.map((hit) => numberOf(hit.document)).filter((value) => value !== null)
      const within = ({ above, below }: { above: number | null; below: number | null }) =>
        count((document) => matches({ number: fieldOf(document), above, below, orMissing: false }, document))
      return {
        field,
        count: within({ above: null, below: null }),
        min: values.length === 0 ? null : Math.min(...values),
        max: values.length === 0 ? null : Math.max(...values),
        ranges: ranges.map(within),
      }
    }),
  }
}

/**
 * Returns the answer to `request` over `documents`, by brute force.
 * @param documents the current documents of one tenant and index, each id once
 */
export function naiveSearch(
  definition: IndexDefinition,
  documents: Iterable<IndexDocument>,
  request: SearchRequest,
  analyser: TextAnalyser,
): PlainAnswer {
  const visible = [...documents].filter((document) => matches(request.visible, document))
  const terms = new Map(visible.map((document) => [document, weightedTerms(definition, document, analyser)]))
  const isSemantic = request.mode === 'semantic'
  const words = expanded(request, [...terms.values()], analyser)
  const concepts = isSemantic ? [] : words
  const meanLength = [...terms.values()].reduce((sum, each) => sum + each.length, 0) / visible.length
  const frequencyOf = (concept: QueryConcept): number =>
    [...terms.values()].filter((each) => frequencyIn(each, concept) > 0).length
  const frequencies = words.map(frequencyOf)
  const idfs = idfsOf(words, frequencies, visible.length)
  const whole =
    (K1 + 1) *
    wholeOf(
      concepts,
      concepts.map((concept, i) => worthOf(concept, idfs[i])),
    )
  const unit = request.mode === 'keyword' ? whole : 1
  const worths = worthsByNumber(words, idfs)
  const numbersHad = (has: (concept: ScoredConcept) => boolean): Set<number> =>
    new Set(words.flatMap((each) => (has(each) ? (each.answers ?? []) : [])).filter((number) => worths.has(number)))
  const shareOf = (had: ReadonlySet<number>): number => {
    if (had.size === worths.size) return Math.min(1, worths.size)
    const numbers = [...worths.keys()].sort((one, other) => one - other)
    const own = sum(numbers.filter((number) => had.has(number)).map((number) => worths.get(number)!))
    // The engine keeps whole hundredths.
    return Math.min(99, Math.floor((100 * own) / sum(numbers.map((number) => worths.get(number)!)))) / 100
  }
  const answered = (found: Terms): Set<number> => numbersHad((each) => frequencyIn(found, each) > 0)
  const matchOf = ({ partition, name }: Terms): number => {
    const had = numbersHad((each) => name.terms.has(each.terms[partition] ?? ''))
    // The engine keeps whole hundredths.
    return had.size === 0 ? 0 : Math.round(100 * nameMatch(shareOf(had), had.size / name.words)) / 100
  }
  const rules = worths.size === 0 || isSemantic ? undefined : request.allWords
  const eligible = visible.filter((document) => matches(request.filter, document))
  const hasAll = (document: IndexDocument): boolean => shareOf(answered(terms.get(document)!)) === 1
  const mustBeComplete = rules !== undefined && visible.filter(hasAll).length >= rules.enough && eligible.some(hasAll)
  const boosts = new Map(request.boosts?.map(({ id, boost }) => [id, boost]))
  const raisesOf = (document: IndexDocument) =>
    (request.raises ?? []).flatMap(({ filter, bonus, qualifies }, index) =>
      matches(filter, document) ? [{ index, added: bonus * (unit || 1), qualifies }] : [],
    )
  const isPinned = (document: IndexDocument) => request.pin !== undefined && matches(request.pin.filter, document)

  const rateLanguage = request.byQuery ? languageIn([...terms.values()], request.query, analyser, true) : null
  const isByQuery = request.mode === 'hybrid' && request.byQuery === true
  const shares = isByQuery ? sharesFor(request, [...terms.values()], analyser) : null
  const vectorWeight = isByQuery ? weightByQuery(eligible, request) : request.vectorWeight

  const scoreOf = (document: IndexDocument): Scored => {
    const own = terms.get(document)!
    const { similarity, passage } = bestPassage(document, request.vector)
    const scaled = scaledOf(document, request)
    const scored = concepts.map((concept, i) => {
      const frequency = frequencyIn(own, concept)
      const part = frequency > 0 ? saturation(frequency, own.length, meanLength) : 0
      return { concept, idf: idfs[i], frequency, score: worthOf(concept, idfs[i]) * part }
    })
    const explained = explainedTerms(scored)
    const bm25 = explained.reduce((sum, each) => sum + each.score, 0)
    const coverage = whole > 0 ? bm25 / whole : 0
    const instead = shares?.[own.partition] ?? null
    const ofCosine = insteadOf(instead, scaled)
    const hybrid = hybridScore(coverage, scaled, vectorWeight, instead)
    const score = { semantic: scaled, keyword: bm25, hybrid }
    const pin = isPinned(document) ? request.pin!.bonus * unit : 0
    const raises = raisesOf(document).map(({ index, added }) => ({ index, added }))
    const raised = raises.reduce((sum, { added }) => sum + added, 0)
    const share = shareOf(answered(own))
    const allWords = rules !== undefined && share === 1 ? rules.bonus * unit : 0
    const named = request.named === undefined || isSemantic ? 0 : matchOf(own) * request.named.bonus * unit
    const isChosen = isPinned(document) || raisesOf(document).some(({ qualifies }) => qualifies)
    const isForeign = rateLanguage !== null && own.partition !== rateLanguage
    const judgement = request.isContextual ? 'contextual' : isForeign ? 'foreign' : 'static'
    const relevance = isChosen ? 1 : relevanceOf(share, request.mode === 'keyword' ? 0 : scaled, judgement)
    const explanation = {
      bm25,
      coverage: request.mode === 'semantic' ? null : coverage,
      vectorWeight: request.mode === 'hybrid' ? vectorWeight : null,
      ...(request.scale === undefined ? {} : { scaled }),
      ...(ofCosine > coverage ? { instead: ofCosine } : {}),
      terms: explained,
      ...(pin === 0 ? {} : { pin }),
      ...(allWords === 0 ? {} : { allWords }),
      ...(named === 0 ? {} : { named }),
      ...(raises.length === 0 ? {} : { raises }),
      passage,
    }
    const sum = score[request.mode] + raised + allWords + named + pin
    return { document, share, relevance, similarity, scaled, score: sum, explanation }
  }
  const qualifies = (hit: Scored): boolean => {
    if (request.minSimilarity !== null && hit.similarity < request.minSimilarity) return false
    if (hit.relevance < (request.rated?.min ?? 0)) return false
    if (isPinned(hit.document) || raisesOf(hit.document).some(({ qualifies }) => qualifies)) return true
    if (request.mode === 'semantic') return hit.explanation.passage !== null
    if (mustBeComplete) return hit.share === 1
    if (
      rules === undefined
        ? hit.explanation.terms.some((term) => term.frequency > 0)
        : hit.share >= Math.max(0.01, rules.shareMin)
    )
      return true
    if (request.mode === 'keyword') return false
    return request.relevance === undefined || hit.scaled >= request.relevance.minSimilarityWithoutMatch
  }

  const required = new Set(
    concepts.filter(({ weight, typed, ifKnown }) => (weight === 1 && ifKnown !== true) || typed !== undefined),
  )
  const numbers = new Set([...required].map(({ wordNumber }) => wordNumber))
  const hasEvery = ({ document }: Scored): boolean =>
    [...numbers].every((number) =>
      [...required].some((each) => each.wordNumber === number && frequencyIn(terms.get(document)!, each) > 0),
    )
  const scored = eligible.map(scoreOf)
  const mayNarrow = request.everyWord === true && request.mode === 'keyword' && request.pin === undefined
  const isNarrowed = mayNarrow && numbers.size > 1 && scored.some(hasEvery)
  const ranked = scored
    .filter((hit) => qualifies(hit) && (!isNarrowed || hasEvery(hit)))
    .sort(
      (a, b) => (request.sort === undefined ? 0 : compareSorted(request.sort, a.document, b.document)) || compare(a, b),
    )
  const boostOf = ({ document }: Scored): number => (boosts.get(document.id) ?? 0) * unit
  const listed =
    request.groups === null
      ? ranked.map((hit): GroupHit => ({ shown: hit, leader: hit }))
      : onePerGroup(ranked, request.groups.prefer)
  const boosted = listed.map(({ shown, leader }) => leader.score + boostOf(shown))
  const placed = request.sort === undefined ? boundedOrder(boosted).map((i) => listed[i]) : listed
  const hits = placed.slice(request.offset, request.offset + request.limit).map(({ shown, leader }): PlainHit => {
    const boost = boostOf(shown)
    const { document, similarity, relevance, score, explanation } = shown
    return {
      id: document.id,
      similarity,
      score: score + boost,
      ...(leader === shown ? {} : { matched: leader.document.id }),
      ...(request.rated === undefined ? {} : { relevance }),
      ...(request.passages ? { passage: explanation.passage } : {}),
      ...(request.explain ? { explanation: { ...explanation, ...(boost === 0 ? {} : { boost }) } } : {}),
    }
  })
  const asFuzzy =
    request.corrections && !isSemantic ? expanded({ ...request, fuzzy: true }, [...terms.values()], analyser) : []
  const corrected = corrections(asFuzzy, asFuzzy.map(frequencyOf))
  const answer = { hits, total: listed.length, ...(request.corrections ? { corrections: corrected } : {}) }
  if (request.facets === undefined) return answer
  return { ...answer, facets: countFacets(ranked, request.facets, request.groups !== null, corrected) }
}

function languageIn(
  terms: readonly Terms[],
  query: string,
  analyser: TextAnalyser,
  mustBeTold = false,
): Partition | null {
  const within = (partition: Partition) => terms.filter((each) => each.partition === partition)
  const { concepts, language, hasFunctionWord } = analyser.readQuery(query)
  const byUse = languageByUse(concepts, {
    documents: (partition) => within(partition).length,
    frequency: (partition, term) => within(partition).filter((each) => each.frequencies.has(term)).length,
  })
  return mustBeTold && !hasFunctionWord ? byUse : (language ?? byUse)
}

/** Returns what may count in place of coverage, by the languages of the query and of the visible documents. */
function sharesFor(request: SearchRequest, terms: readonly Terms[], analyser: TextAnalyser): Shares {
  if (request.isContextual !== true) return sharesOf(languageIn(terms, request.query, analyser))
  return sharesAcross((partition) => terms.filter((each) => each.partition === partition).length)
}

/** Returns the weight of the cosine by the cosines of all documents that can be hits. */
function weightByQuery(documents: readonly IndexDocument[], request: SearchRequest): number {
  const { vectorWeight } = request
  const cosines = documents.map((document) => scaledOf(document, request)).sort((a, b) => b - a)
  const last = Math.min(SPREAD_RANK, cosines.length) - 1
  return weightOf(vectorWeight, cosines[0] ?? 0, cosines[last] ?? 0, request.isContextual)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A trivial analysis for tests of ranking: lower-cased words, the same in every partition; two show the language. */
export const plainAnalyser: TextAnalyser = {
  partitionOf: (language) => (language === 'de' || language === 'en' ? language : 'other'),
  *analysingDocument(_partition, text, emit) {
    const words = wordsOf(text)
    for (const [n, word] of words.entries()) {
      emit(word, 1)
      if (n % 256 === 255) yield
    }
    return words.length
  },
  readQuery: (text) => ({
    concepts: [...Map.groupBy(wordsOf(text), (word) => word)].map(([word, { length: times }], number) => ({
      text: word,
      weight: 1,
      answers: [number],
      ...(times === 1 ? {} : { times }),
      terms: Object.fromEntries(PARTITIONS.map((partition) => [partition, word])) as QueryConcept['terms'],
    })),
    language: /lamp|w1\b/.test(text) ? 'de' : /tab|w2\b/.test(text) ? 'en' : null,
    hasFunctionWord: !/lamps|wood/.test(text) && /lamp|tab|w[12]\b/.test(text),
  }),
}
