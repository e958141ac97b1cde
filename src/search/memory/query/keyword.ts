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
import type { SlotSet } from './filters.ts'
import { frequencyNumberOf, type Segment, SLOTS_MAX, slotOf } from '../columns/segment.ts'
import { nearTerms } from '../columns/sorted-terms.ts'
import { ViewMemory } from './view-memory.ts'

/** One segment of a search: the documents that the caller may see, and those among them that the request asks for. */
export interface SearchPart {
  readonly segment: Segment
  readonly visible: SlotSet
  readonly eligible: SlotSet
}

/** The worth of the query's concepts among the documents that the caller may see. */
export interface KeywordStatistics {
  readonly concepts: readonly ScoredConcept[]
  /** How many visible documents have each concept. */
  readonly frequencies: readonly number[]
  readonly idfs: readonly number[]
  /** Weight x idf of each concept, as often as it is asked for. */
  readonly worths: readonly number[]
  readonly meanLength: number
  /** The highest BM25 the query can reach: (k1 + 1) times the sum over its words of the best worth of each word. */
  readonly whole: number
  /** Null if the request asks for none. */
  readonly corrections: readonly Correction[] | null
}

export interface KeywordScores {
  /** BM25 by slot, 0 without a match. Borrowed: valid until `release`. */
  readonly scores: Float64Array
  /** Slots with a match. Borrowed like the scores. */
  readonly matched: Bits
  readonly any: boolean
}

const postings = new Uint32Array(SLOTS_MAX)
const spare: Float64Array[] = []

/** What the documents that a caller may see have of words. */
export interface View extends Vocabulary, Use {
  /** How many visible documents there are. */
  readonly total: number
  /** Sum of their weighted lengths. */
  readonly lengthSum: number
  /**
   * How many visible documents have at least one term of each list, if the parts of the search lack visible documents;
   * by default those of the parts are counted.
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
  asked: readonly QueryConcept[],
  request: Reading,
  synonyms: readonly SynonymConcept[] = [],
): KeywordStatistics {
  const { total: documents, lengthSum } = view
  const bounded = boundConcepts(asked, (concept) => frequencyIn(view, concept), documents)
  const concepts = expandOver(view, bounded, request, synonyms)
  const frequencies = frequenciesOf(view, concepts)
  const idfs = idfsOf(concepts, frequencies, documents)
  const worths = concepts.map((concept, i) => worthOf(concept, idfs[i]))
  const whole = (K1 + 1) * wholeOf(concepts, worths)
  const statistics = { concepts, frequencies, idfs, worths, meanLength: lengthSum / documents, whole }
  if (request.corrections !== true) return { ...statistics, corrections: null }
  const corrected =
    request.fuzzy === true ? corrections(concepts, frequencies) : correctionsOver(view, bounded, request, synonyms)
  return { ...statistics, corrections: corrected }
}

/** How a request wants its words to be read. */
type Reading = Pick<SearchRequest, 'query' | 'fuzzy' | 'correctedMax' | 'prefixLast' | 'corrections' | 'allWords'>

/** How many visible documents have each concept. */
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

function correctionsOver(
  view: View,
  asked: readonly QueryConcept[],
  request: Reading,
  synonyms: readonly SynonymConcept[],
): readonly Correction[] {
  const concepts = expandOver(view, asked, { ...request, fuzzy: true }, synonyms)
  return corrections(concepts, frequenciesOf(view, concepts))
}

function expandOver(
  view: View,
  asked: readonly QueryConcept[],
  { query, fuzzy = false, correctedMax, prefixLast = false, allWords }: Reading,
  synonyms: readonly SynonymConcept[],
): readonly ScoredConcept[] {
  const prefix = prefixLast ? lastWordOf(query) : null
  const isPlain =
    !fuzzy &&
    prefix === null &&
    synonyms.length === 0 &&
    asked.every(({ unless, ifKnown }) => unless === undefined && !ifKnown)
  if (isPlain) return asked.map((concept, wordNumber) => ({ ...concept, wordNumber }))
  return expand(asked, { fuzzy, correctedMax, prefix, synonyms, wholePairs: allWords !== undefined }, view)
}

/** The view of a search whose parts have every visible document. */
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
    count = countCommon(visible.bits, segment.written[partition])
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
  if (set.whole) return segment.terms[partition].count(id)
  const key = `${partition} ${term}`
  const held = set.documentFrequencies.get(key)
  if (held !== undefined) return held
  const count = segment.terms[partition].read(id, postings)
  const { bits } = set
  let frequency = 0
  for (let i = 0; i < count; i++) {
    const slot = postings[i] & (SLOTS_MAX - 1)
    frequency += (bits[slot >>> 5] >>> (slot & 31)) & 1
  }
  if (set.documentFrequencies.size < 1_024) set.documentFrequencies.set(key, frequency)
  return frequency
}

/** Computes BM25 for the eligible documents of one segment. */
export function scoreSegment(part: SearchPart, statistics: KeywordStatistics): KeywordScores {
  const { segment, eligible } = part
  const scores = spare.pop() ?? new Float64Array(SLOTS_MAX)
  const matched = borrowBits(segment.words)
  let any = false
  if (eligible.count === 0) return { scores, matched, any }
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
      if (isAlone) any = addScores(part, meanLength, worth, count, scores, matched) || any
      else raiseBest(part, meanLength, worth, count)
    }
    if (!isAlone && concepts[i + 1]?.wordNumber !== concept.wordNumber) any = addBest(scores, matched) || any
  }
  return { scores, matched, any }
}

/**
 * For the current word of the query: each document's best score among the words it stands for. All 0 between queries.
 */
const best = new Float64Array(SLOTS_MAX)
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
  const any = touched.length > 0
  touched.length = 0
  return any
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
  let any = false
  for (let i = 0; i < count; i++) {
    const posting = postings[i]
    const slot = slotOf(posting)
    if (((bits[slot >>> 5] >>> (slot & 31)) & 1) === 0) continue
    scores[slot] += worth * saturation(frequencies[frequencyNumberOf(posting)], lengths[slot], meanLength)
    setBit(matched, slot)
    any = true
  }
  return any
}

/** Clears the borrowed scores and makes them available again. */
export function release({ scores, matched, any }: KeywordScores): void {
  const words = any ? matched.length : 0
  for (let i = 0; i < words; i++) {
    for (let word = matched[i]; word !== 0; word &= word - 1) scores[(i << 5) + 31 - Math.clz32(word & -word)] = 0
  }
  spare.push(scores)
}

/** The weighted frequency of a concept in a document; 0 if the document does not contain it. */
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
