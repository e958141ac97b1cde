/** BM25 over segments; the formula is in search/ranking/bm25.ts. */
import { PARTITIONS, type Partition, type QueryConcept } from '../../analysis/analysis.ts'
import { K1, saturation } from '../../ranking/bm25.ts'
import {
  corrections,
  expand,
  idfsOf,
  lastWordOf,
  type ScoredConcept,
  type Vocabulary,
  wholeOf,
  worthOf,
} from '../../ranking/expansion.ts'
import { boundConcepts } from '../../ranking/query-bound.ts'
import type { Correction, SearchRequest } from '../../engine.ts'
import type { Use } from '../../ranking/language-by-use.ts'
import type { SynonymConcept } from '../../ranking/synonyms.ts'
import { type Bits, countCommon, hasBit, setBit } from '../columns/bitset.ts'
import { borrowBits } from '../columns/borrowed-bits.ts'
import { frequencyNumberOf, type Segment, SLOTS_MAX, slotOf } from '../columns/segment.ts'
import { nearTerms } from '../columns/sorted-terms.ts'
import { type SlotSet, ViewMemory } from './view-memory.ts'

/** One segment of a search: the documents that the caller may see, and the eligible ones that also pass the filter. */
export interface SearchPart {
  readonly segment: Segment
  readonly visible: SlotSet
  readonly eligible: SlotSet
}

/** The query's concepts with their worth among the documents that the caller may see. */
export interface KeywordStatistics {
  readonly concepts: readonly ScoredConcept[]
  /** Number of visible documents with each concept. */
  readonly frequencies: readonly number[]
  readonly idfs: readonly number[]
  /** Weight x idf of each concept. */
  readonly worths: readonly number[]
  readonly meanLength: number
  /** Highest BM25 that the query can reach: (k1 + 1) times the sum over its words of the best worth of each word. */
  readonly bm25Max: number
  /** Null if the request asks for no corrections. */
  readonly corrections: readonly Correction[] | null
}

export interface KeywordScores {
  /** BM25 by slot, 0 without a match; valid until `release`. */
  readonly scores: Float64Array
  /** Slots with a match; borrowed until the batch of searches ends (`borrowed-bits.ts`). */
  readonly matched: Bits
  /** Whether any slot has a match. */
  readonly hasMatch: boolean
}

/** The postings of the term that is being read. */
const postings = new Uint32Array(SLOTS_MAX)
/** Cleared arrays for the scores of further segments. */
const spare: Float64Array[] = []

/** The words of the documents that a caller may see. */
export interface View extends Vocabulary, Use {
  /** Number of visible documents. */
  readonly total: number
  /** Sum of the weighted lengths of visible documents. */
  readonly lengthSum: number
  /**
   * Returns the number of visible documents that have at least one term of each list. Only a view over more documents
   * than the segments of its index has this function; otherwise the segments are counted.
   */
  readonly complete?: (words: readonly (readonly PartitionTerm[])[]) => number
}

/** A term in the partition that has it. */
export interface PartitionTerm {
  readonly partition: Partition
  readonly term: string
}

/** Computes statistics over exactly the visible documents, so scores reveal nothing about the others. */
export function keywordStatistics(
  view: View,
  queryConcepts: readonly QueryConcept[],
  request: Reading,
  synonyms: readonly SynonymConcept[] = [],
): KeywordStatistics {
  const { total: documents, lengthSum } = view
  const bounded = boundConcepts(queryConcepts, (concept) => frequencyIn(view, concept), documents)
  const concepts = expandOver(view, bounded, request, synonyms)
  const frequencies = frequenciesOf(view, concepts)
  const idfs = idfsOf(concepts, frequencies, documents)
  const worths = concepts.map((concept, i) => worthOf(concept, idfs[i]))
  const bm25Max = (K1 + 1) * wholeOf(concepts, worths)
  const statistics = { concepts, frequencies, idfs, worths, meanLength: lengthSum / documents, bm25Max }
  if (request.corrections !== true) return { ...statistics, corrections: null }
  const corrected =
    request.fuzzy === true ? corrections(concepts, frequencies) : correctionsOver(view, bounded, request, synonyms)
  return { ...statistics, corrections: corrected }
}

/** The settings of a request by which its words are read. */
type Reading = Pick<SearchRequest, 'query' | 'fuzzy' | 'correctedMax' | 'prefixLast' | 'corrections' | 'allWords'>

/** Returns the number of visible documents with each concept. */
function frequenciesOf(view: View, concepts: readonly ScoredConcept[]): number[] {
  return concepts.map((concept) => frequencyIn(view, concept))
}

function frequencyIn(view: View, concept: QueryConcept): number {
  let frequency = 0
  for (const partition of PARTITIONS) {
    const term = concept.terms[partition]
    if (term !== null) frequency += view.frequency(partition, term)
  }
  return frequency
}

/** Returns the corrections that a fuzzy search would make. */
function correctionsOver(
  view: View,
  queryConcepts: readonly QueryConcept[],
  request: Reading,
  synonyms: readonly SynonymConcept[],
): readonly Correction[] {
  const concepts = expandOver(view, queryConcepts, { ...request, fuzzy: true }, synonyms)
  return corrections(concepts, frequenciesOf(view, concepts))
}

function expandOver(
  view: View,
  queryConcepts: readonly QueryConcept[],
  { query, fuzzy = false, correctedMax, prefixLast = false, allWords }: Reading,
  synonyms: readonly SynonymConcept[],
): readonly ScoredConcept[] {
  const prefix = prefixLast ? lastWordOf(query) : null
  const isPlain =
    !fuzzy &&
    prefix === null &&
    synonyms.length === 0 &&
    queryConcepts.every(({ unless, ifKnown }) => unless === undefined && !ifKnown)
  if (isPlain) return queryConcepts.map((concept, wordNumber) => ({ ...concept, wordNumber }))
  return expand(queryConcepts, { fuzzy, correctedMax, prefix, synonyms, wholePairs: allWords !== undefined }, view)
}

/** Returns the view of a search whose parts have every visible document. */
export function viewOf(parts: readonly SearchPart[]): View {
  return {
    get total() {
      return parts.reduce((sum, { visible }) => sum + visible.count, 0)
    },
    get lengthSum() {
      let sum = 0
      for (const { segment, visible } of parts) sum += visible.lengthSum ??= sumLengths(segment, visible)
      return sum
    },
    documents: (partition) => parts.reduce((sum, part) => sum + documentsIn(part, partition), 0),
    frequency: (partition, term) => visibleFrequency(parts, partition, term),
    frequencyAtMost: (partition, term) => {
      let count = 0
      for (const { segment } of parts) {
        const id = segment.terms[partition].find(term)
        if (id >= 0) count += segment.terms[partition].count(id)
      }
      return count
    },
    eachWithPrefix: (partition, prefix, visit) => {
      for (const { segment } of parts) segment.terms[partition].eachWithPrefix(prefix, visit)
    },
    *near(partition, word, limit, areBegun) {
      for (const { segment } of parts) {
        yield* nearTerms(segment.terms[partition].beginningWith(word[0]), word, limit, areBegun)
      }
    },
    remembered: (key, make) => ViewMemory.of(parts.map(({ visible }) => visible)).words(key, make),
  }
}

function documentsIn({ segment, visible }: SearchPart, partition: Partition): number {
  let count = visible.partitionCounts.get(partition)
  if (count === undefined) {
    count = countCommon(visible.bits, segment.byPartition[partition])
    visible.partitionCounts.set(partition, count)
  }
  return count
}

function visibleFrequency(parts: readonly SearchPart[], partition: Partition, term: string): number {
  let frequency = 0
  for (const { segment, visible } of parts) frequency += documentFrequency(segment, visible, partition, term)
  return frequency
}

function sumLengths(segment: Segment, set: SlotSet): number {
  let sum = 0
  for (let slot = 0; slot < segment.slots; slot++) if (hasBit(set.bits, slot)) sum += segment.lengths[slot]
  return sum
}

function documentFrequency(segment: Segment, set: SlotSet, partition: Partition, term: string): number {
  const id = segment.terms[partition].find(term)
  if (id < 0 || set.count === 0) return 0
  if (set.isWhole) return segment.terms[partition].count(id)
  const key = `${partition} ${term}`
  const cached = set.documentFrequencies.get(key)
  if (cached !== undefined) return cached
  const count = segment.terms[partition].read(id, postings)
  const { bits } = set
  let frequency = 0
  for (let i = 0; i < count; i++) {
    const slot = slotOf(postings[i])
    frequency += (bits[slot >>> 5] >>> (slot & 31)) & 1
  }
  if (set.documentFrequencies.size < 1_024) set.documentFrequencies.set(key, frequency)
  return frequency
}

/** Computes BM25 for the eligible documents of one segment. */
export function scoreSegment(part: SearchPart, statistics: KeywordStatistics): KeywordScores {
  const { segment, eligible } = part
  const scores = spare.pop() ?? new Float64Array(SLOTS_MAX)
  const matched = borrowBits(segment.bitWords)
  let hasMatch = false
  if (eligible.count === 0) return { scores, matched, hasMatch }
  const { concepts, worths, meanLength } = statistics
  for (const [i, concept] of concepts.entries()) {
    const worth = worths[i]
    const isAlone =
      concepts[i - 1]?.wordNumber !== concept.wordNumber && concepts[i + 1]?.wordNumber !== concept.wordNumber
    for (const partition of PARTITIONS) {
      const term = concept.terms[partition]
      const id = term === null ? -1 : segment.terms[partition].find(term)
      if (id < 0) continue
      const count = segment.terms[partition].read(id, postings)
      if (isAlone) hasMatch = addScores(part, meanLength, worth, count, scores, matched) || hasMatch
      else raiseBest(part, meanLength, worth, count)
    }
    if (!isAlone && concepts[i + 1]?.wordNumber !== concept.wordNumber) hasMatch = addBest(scores, matched) || hasMatch
  }
  return { scores, matched, hasMatch }
}

/**
 * By slot, the best score among the concepts of the query word that is being scored: the word itself and the words that
 * it stands for. All 0 between words.
 */
const best = new Float64Array(SLOTS_MAX)
/** Slots whose `best` is not 0. */
const touched: number[] = []

function raiseBest({ segment, eligible }: SearchPart, meanLength: number, worth: number, count: number): void {
  const { frequencies, lengths } = segment
  for (let i = 0; i < count; i++) {
    const slot = slotOf(postings[i])
    if (!hasBit(eligible.bits, slot)) continue
    const score = worth * saturation(frequencies[frequencyNumberOf(postings[i])], lengths[slot], meanLength)
    if (best[slot] === 0) touched.push(slot)
    if (score > best[slot]) best[slot] = score
  }
}

function addBest(scores: Float64Array, matched: Bits): boolean {
  for (const slot of touched) {
    scores[slot] += best[slot]
    best[slot] = 0
    setBit(matched, slot)
  }
  const hasMatch = touched.length > 0
  touched.length = 0
  return hasMatch
}

/** Adds the scores of one term for the first `count` of `postings`. @returns whether any document was eligible */
function addScores(
  { segment, eligible }: SearchPart,
  meanLength: number,
  worth: number,
  count: number,
  scores: Float64Array,
  matched: Bits,
): boolean {
  const { frequencies, lengths } = segment
  const { bits } = eligible
  let hasMatch = false
  for (let i = 0; i < count; i++) {
    const posting = postings[i]
    const slot = slotOf(posting)
    if (((bits[slot >>> 5] >>> (slot & 31)) & 1) === 0) continue
    scores[slot] += worth * saturation(frequencies[frequencyNumberOf(posting)], lengths[slot], meanLength)
    setBit(matched, slot)
    hasMatch = true
  }
  return hasMatch
}

/** Clears the array of scores and keeps it for another segment. */
export function release({ scores, matched, hasMatch }: KeywordScores): void {
  const bitWords = hasMatch ? matched.length : 0
  for (let i = 0; i < bitWords; i++) {
    for (let rest = matched[i]; rest !== 0; rest &= rest - 1) scores[(i << 5) + 31 - Math.clz32(rest & -rest)] = 0
  }
  spare.push(scores)
}

/** Returns the weighted frequency of a concept in a document; 0 if the document does not contain the concept. */
export function conceptFrequency(segment: Segment, slot: number, concept: QueryConcept): number {
  for (const partition of PARTITIONS) {
    const term = concept.terms[partition]
    const id = term === null ? -1 : segment.terms[partition].find(term)
    if (id < 0) continue
    const count = segment.terms[partition].read(id, postings)
    for (let i = 0; i < count; i++) {
      if (slotOf(postings[i]) === slot) return segment.frequencies[frequencyNumberOf(postings[i])]
    }
  }
  return 0
}
