/**
 * A deliberately plain implementation of search: it looks at every document in float64. Tests compare the in-process
 * engine's answers with its answers.
 */
import { type Partition, PARTITIONS, type QueryConcept } from '../../../src/search/analysis/analysis.ts'
import { K1, saturation } from '../../../src/search/bm25.ts'
import { boundedOrder } from '../../../src/search/bounded-order.ts'
import {
  corrections,
  expand,
  explainedTerms,
  idfsOf,
  lastWordOf,
  type ScoredConcept,
  wholeOf,
} from '../../../src/search/expansion.ts'
import type {
  FacetRequest,
  Facets,
  Filter,
  HitExplanation,
  IndexDefinition,
  IndexDocument,
  SearchAnswer,
  SearchHit,
  SearchRequest,
} from '../../../src/search/engine.ts'
import { editDistance } from '../../../src/platform/edit-distance.ts'
import type { NearTerm } from '../../../src/search/memory/sorted-terms.ts'
import { beginAll, wordsOfName } from '../../../src/search/name-words.ts'
import type { TextAnalyser } from '../../../src/search/memory/text-analyser.ts'

/** Plain documents have no change number. */
type PlainHit = Omit<SearchHit, 'seq'>
type PlainAnswer = Omit<SearchAnswer, 'timing' | 'hits'> & { readonly hits: readonly PlainHit[] }

interface Scored {
  readonly document: IndexDocument
  readonly similarity: number
  readonly score: number
  readonly explanation: HitExplanation
}

/** Cosine in float64, summed in index order; 0 when either vector is zero. */
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
  return Math.max(-1, Math.min(1, dot / (Math.sqrt(squaresA) * Math.sqrt(squaresB))))
}

/** Whether a document matches; see `Filter` for the meaning of each form. */
export function matches(filter: Filter, document: IndexDocument): boolean {
  if ('field' in filter) {
    const values = document.keys[filter.field] ?? []
    return filter.anyOf.some((value) => values.includes(value))
  }
  if ('number' in filter) {
    const value = document.numbers[filter.number] ?? null
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

/** Weighted frequency of each term, and their sum. */
function weightedTerms(definition: IndexDefinition, document: IndexDocument, analyser: TextAnalyser) {
  const frequencies = new Map<string, number>()
  let length = 0
  const partition = analyser.partitionOf(document.language)
  for (const [field, weight] of Object.entries(definition.textFields)) {
    for (const text of document.text[field] ?? []) {
      const words = analyser.analyseDocument(partition, text, (term) => {
        frequencies.set(term, (frequencies.get(term) ?? 0) + weight)
      })
      length += weight * words
    }
  }
  return { partition, frequencies, length }
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

/** A hit, and the hit whose score decides its place: itself, or the best of its group. */
interface Listed {
  readonly shown: Scored
  readonly leader: Scored
}

/** One member per group, ordered by the groups' best members. */
function onePerGroup(ranked: readonly Scored[], prefer: Filter): Listed[] {
  const groups = new Map<string, Scored[]>()
  for (const hit of ranked) groups.set(hit.document.group, [...(groups.get(hit.document.group) ?? []), hit])
  return [...groups.values()].map((members) => ({
    shown: members.find((hit) => matches(prefer, hit.document)) ?? members[0],
    leader: members[0],
  }))
}

function expanded(
  request: Pick<SearchRequest, 'mode' | 'query' | 'fuzzy' | 'prefixLast'>,
  terms: readonly Terms[],
  analyser: TextAnalyser,
): ScoredConcept[] {
  if (request.mode === 'semantic') return []
  const within = (partition: Partition) => terms.filter((each) => each.partition === partition)
  const termsOf = (partition: Partition) => within(partition).flatMap((each) => [...each.frequencies.keys()])
  const frequency = (partition: Partition, term: string) =>
    within(partition).filter((each) => each.frequencies.has(term)).length
  return expand(
    analyser.analyseQuery(request.query),
    { fuzzy: request.fuzzy ?? false, prefix: request.prefixLast ? lastWordOf(request.query) : null },
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

/** The terms within `limit` edits of `word` that start with the same unit, by comparing each. */
export function nearOnes(terms: readonly string[], word: string, limit: number, areBegun: boolean): NearTerm[] {
  return terms.flatMap((term) => {
    if (term[0] !== word[0]) return []
    const compared = areBegun ? Array.from(term, (_, i) => term.slice(0, i + 1)) : [term]
    const edits = compared.map((each) => editDistance(each, word, limit)).filter((each) => each >= 0)
    return edits.length === 0 ? [] : [{ term, edits: Math.min(...edits) }]
  })
}

/** Counts what qualified: documents, or groups if documents are grouped. */
function countFacets(ranked: readonly Scored[], facets: FacetRequest, areGrouped: boolean): Facets {
  const count = (wanted: (document: IndexDocument) => boolean): number => {
    const documents = ranked.map((hit) => hit.document).filter(wanted)
    return areGrouped ? new Set(documents.map((document) => document.group)).size : documents.length
  }
  return {
    keys: facets.keys.map(({ field, limit, beginning }) => {
      const values = [...new Set(ranked.flatMap((hit) => hit.document.keys[field] ?? []))].filter(
        (value) => beginning === undefined || beginAll(beginning, wordsOfName(value)),
      )
      const counted = values.map((value) => ({
        value,
        count: count((document) => (document.keys[field] ?? []).includes(value)),
      }))
      counted.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
      return { field, values: counted.slice(0, limit) }
    }),
    numbers: facets.numbers.map(({ field, instead, ranges }) => {
      const fieldOf = (document: IndexDocument): string =>
        instead !== undefined && matches(instead.where, document) ? instead.field : field
      const numberOf = (document: IndexDocument): number | null => document.numbers[fieldOf(document)] ?? null
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
 * The answer to `request` over `documents`, by brute force.
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
  const concepts = expanded(request, [...terms.values()], analyser)
  const meanLength = [...terms.values()].reduce((sum, each) => sum + each.length, 0) / visible.length
  const frequencyOf = (concept: QueryConcept): number =>
    [...terms.values()].filter((each) => frequencyIn(each, concept) > 0).length
  const frequencies = concepts.map(frequencyOf)
  const idfs = idfsOf(concepts, frequencies, visible.length)
  const worths = concepts.map((concept, i) => concept.weight * idfs[i])
  const whole = (K1 + 1) * wholeOf(concepts, worths)
  const unit = request.mode === 'keyword' ? whole : 1
  const boosts = new Map(request.boosts?.map(({ id, boost }) => [id, boost]))
  const isPinned = (document: IndexDocument) => request.pin !== undefined && matches(request.pin.filter, document)

  const scoreOf = (document: IndexDocument): Scored => {
    const found = terms.get(document)!
    const { similarity, passage } = bestPassage(document, request.vector)
    const scored = concepts.map((concept, i) => {
      const frequency = frequencyIn(found, concept)
      const part = frequency > 0 ? saturation(frequency, found.length, meanLength) : 0
      return { concept, idf: idfs[i], frequency, score: concept.weight * idfs[i] * part }
    })
    const explained = explainedTerms(scored)
    const bm25 = explained.reduce((sum, each) => sum + each.score, 0)
    const coverage = whole > 0 ? bm25 / whole : 0
    const score = { semantic: similarity, keyword: bm25, hybrid: coverage + request.vectorWeight * similarity }
    const pin = isPinned(document) ? request.pin!.bonus * unit : 0
    const explanation = {
      bm25,
      coverage: request.mode === 'semantic' ? null : coverage,
      terms: explained,
      ...(pin === 0 ? {} : { pin }),
      passage,
    }
    return { document, similarity, score: score[request.mode] + pin, explanation }
  }
  const qualifies = (hit: Scored): boolean => {
    if (request.minSimilarity !== null && hit.similarity < request.minSimilarity) return false
    if (isPinned(hit.document)) return true
    if (request.mode === 'semantic') return hit.explanation.passage !== null
    if (hit.explanation.terms.some((term) => term.frequency > 0)) return true
    if (request.mode === 'keyword') return false
    return request.relevance === undefined || hit.similarity >= request.relevance.minSimilarityWithoutMatch
  }

  const asked = new Set(concepts.filter(({ weight, typed }) => weight === 1 || typed !== undefined))
  const words = new Set([...asked].map(({ wordNumber }) => wordNumber))
  const hasEvery = ({ document }: Scored): boolean =>
    [...words].every((number) =>
      [...asked].some((each) => each.wordNumber === number && frequencyIn(terms.get(document)!, each) > 0),
    )
  const eligible = visible.filter((document) => matches(request.filter, document)).map(scoreOf)
  const mayNarrow = request.everyWord === true && request.mode === 'keyword' && request.pin === undefined
  const isNarrowed = mayNarrow && words.size > 1 && eligible.some(hasEvery)
  const ranked = eligible.filter((hit) => qualifies(hit) && (!isNarrowed || hasEvery(hit))).sort(compare)
  const boostOf = ({ document }: Scored): number => (boosts.get(document.id) ?? 0) * unit
  const listed =
    request.groups === null
      ? ranked.map((hit): Listed => ({ shown: hit, leader: hit }))
      : onePerGroup(ranked, request.groups.prefer)
  const placed = boundedOrder(listed.map(({ shown, leader }) => leader.score + boostOf(shown))).map((i) => listed[i])
  const hits = placed.slice(request.offset, request.offset + request.limit).map(({ shown }): PlainHit => {
    const boost = boostOf(shown)
    const { document, similarity, score, explanation } = shown
    return {
      id: document.id,
      similarity,
      score: score + boost,
      ...(request.explain ? { explanation: { ...explanation, ...(boost === 0 ? {} : { boost }) } } : {}),
    }
  })
  const asFuzzy = request.corrections ? expanded({ ...request, fuzzy: true }, [...terms.values()], analyser) : []
  const answer = {
    hits,
    total: listed.length,
    ...(request.corrections ? { corrections: corrections(asFuzzy, asFuzzy.map(frequencyOf)) } : {}),
  }
  if (request.facets === undefined) return answer
  return { ...answer, facets: countFacets(ranked, request.facets, request.groups !== null) }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** A trivial analysis for tests of ranking: lower-cased words, the same in every partition. */
export const plainAnalyser: TextAnalyser = {
  partitionOf: (language) => (language === 'de' || language === 'en' ? language : 'other'),
  analyseDocument: (_partition, text, emit) => {
    const words = wordsOf(text)
    for (const word of words) emit(word)
    return words.length
  },
  analyseQuery: (text) =>
    [...new Set(wordsOf(text))].map((word) => ({
      text: word,
      weight: 1,
      terms: Object.fromEntries(PARTITIONS.map((partition) => [partition, word])) as QueryConcept['terms'],
    })),
}
