/**
 * Other words that a query's words stand for: for a word that occurs nowhere the nearest words that occur, and for the
 * word being typed the words that start with it. A document scores by the best match among the words that one typed
 * word stands for; all of them share one idf. How many of them a document contains, or how rare they are, does not show
 * what the user meant.
 */
import { type Partition, PARTITIONS, type QueryConcept } from './analysis/analysis.ts'
import { fold } from './analysis/folding.ts'
import { termOf } from './analysis/partitions.ts'
import { idf } from './bm25.ts'
import type { HitExplanation } from './engine.ts'
import { editDistance } from '../platform/edit-distance.ts'

/** Weights of alternatives, as shares of the typed word's weight: one edit away, two edits away, same prefix. */
export const ONE_EDIT_WEIGHT = 0.7
const TWO_EDITS_WEIGHT = 0.5
export const PREFIX_WEIGHT = 0.8
/** Weight of two words written as one where such pairs are names. */
const PAIR_WHOLE_WEIGHT = 2
/** How many words may replace a mistyped one, nearest first, and complete a prefix, most frequent first. */
const NEAR_MAX = 4
export const PREFIX_WORDS_MAX = 16
/** From these term lengths on, one edit or two edits are tolerated. */
const ONE_EDIT_LENGTH = 4
const TWO_EDITS_LENGTH = 8
/** A word that at most so many documents have also stands for near words that so many times more have. */
const RARE_MAX = 20
const MORE_FREQUENT = 10
/** An unknown word is cut into words of at least this length, each of which at least so many documents have. */
const SPLIT_LENGTH_MIN = 3
const SPLIT_FREQUENCY_MIN = 2
/** Weight of each of the two words, as a share of the unknown word's weight. */
const SPLIT_WEIGHT = 0.5
/** How many words of a query are corrected. Each is compared with every word that has the same first letter. */
export const CORRECTED_MAX = 8

/** The terms of the visible documents. */
export interface Vocabulary {
  /** How many visible documents contain the term. */
  frequency(partition: Partition, term: string): number
  /** An upper bound of `frequency` that is cheap to compute. */
  frequencyAtMost(partition: Partition, term: string): number
  /** Terms that start with this UTF-16 unit, each at least once; some may be in no visible document. */
  withPrefix(partition: Partition, unit: string): Iterable<string>
}

/** A concept as it is scored. */
export interface ScoredConcept extends QueryConcept {
  /** Number of the query's word that this concept is or stands for, ascending. */
  readonly wordNumber: number
  /** The typed word, if this concept is another word. */
  readonly typed?: string
}

interface Expansion {
  readonly fuzzy: boolean
  /** The word being typed, folded; null when the last word is complete. */
  readonly prefix: string | null
  /** Whether two words written as one weigh as much as both: names of things are joined, words of prose by chance. */
  readonly wholePairs?: boolean
}

/**
 * The word that ends the query, folded. Null if the query ends with another character: then its last word is complete.
 */
export function lastWordOf(query: string): string | null {
  return /[\p{L}\p{N}\p{M}]+$/u.exec(fold(query))?.[0] ?? null
}

/** The concepts of a query, with the words that they also stand for. */
export function expand(
  concepts: readonly QueryConcept[],
  { fuzzy, prefix, wholePairs = false }: Expansion,
  vocabulary: Vocabulary,
): ScoredConcept[] {
  const occursIn = (terms: QueryConcept['terms']): boolean =>
    PARTITIONS.some((partition) => {
      const term = terms[partition]
      return term !== null && vocabulary.frequency(partition, term) > 0
    })
  const asked = concepts
    .filter(
      ({ unless, ifKnown, terms }) => (unless === undefined || !occursIn(unless)) && (!ifKnown || occursIn(terms)),
    )
    .map((concept) => (wholePairs && concept.isPair ? { ...concept, weight: PAIR_WHOLE_WEIGHT } : concept))
  const known = asked.findIndex((concept) => concept.weight === 1 && concept.terms.other === prefix)
  const typed = prefix === null || known >= 0 ? asked : [...asked, prefixConcept(prefix)]
  const last = known >= 0 ? known : typed.length - 1
  let corrected = 0
  let answers = Math.max(-1, ...concepts.flatMap((each) => each.answers ?? []))
  const meant = typed.flatMap((concept, i): Meant[][] => {
    let others = prefix !== null && i === last ? wordsWithPrefix(concept, prefix, vocabulary) : []
    const mayBeWrong = fuzzy && others.length === 0 && corrected < CORRECTED_MAX && mayBeMistyped(concept)
    if (others.length === 0 && !mayBeWrong) return [[concept]]
    const frequency = conceptFrequency(concept, vocabulary)
    if (frequency > (mayBeWrong ? RARE_MAX : 0)) return [[concept, ...others]]
    if (mayBeWrong) {
      corrected++
      others = nearWords(concept, Math.max(1, frequency * MORE_FREQUENT), vocabulary)
      if (frequency > 0) return [[concept, ...others]]
      const parts = others.length > 0 ? [] : splitWord(concept, answers + 1, vocabulary)
      answers += parts.length
      if (others.length === 0) return [[concept], ...parts.map((part) => [part])]
    }
    return [others]
  })
  return meant.flatMap((words, wordNumber) => words.map((word) => ({ ...word, wordNumber })))
}

/** A word of a query, or a word that it stands for. */
type Meant = Omit<ScoredConcept, 'wordNumber'>

function prefixConcept(word: string): QueryConcept {
  return { text: word, weight: 1, terms: { de: word, en: word, other: word } }
}

interface Alternative {
  readonly terms: Record<Partition, string | null>
  edits: number
  frequency: number
}

/** Collects alternatives by term; the same term in several partitions is one alternative. */
class Alternatives {
  readonly #found = new Map<string, Alternative>()
  readonly #vocabulary: Vocabulary

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** @returns how many visible documents have the term in this partition; 0 also if it was added before */
  add(partition: Partition, term: string, edits: number): number {
    const held = this.#found.get(term)
    if (held !== undefined && held.terms[partition] !== null) return 0
    const frequency = this.#vocabulary.frequency(partition, term)
    if (frequency === 0) return 0
    const alternative = held ?? { terms: { de: null, en: null, other: null }, edits, frequency: 0 }
    alternative.terms[partition] = term
    alternative.edits = Math.min(alternative.edits, edits)
    alternative.frequency += frequency
    if (held === undefined) this.#found.set(term, alternative)
    return frequency
  }

  /** The best `count` alternatives: fewest edits, then most frequent, then by code unit. */
  best(
    { weight, text, answers = [] }: QueryConcept,
    count: number,
    shares: readonly number[],
    frequencyMin = 1,
  ): Meant[] {
    const frequent = [...this.#found].filter(([, { frequency }]) => frequency >= frequencyMin)
    const sorted = frequent.sort(
      ([a, one], [b, other]) => one.edits - other.edits || other.frequency - one.frequency || (a < b ? -1 : 1),
    )
    return sorted.slice(0, count).map(([term, { terms, edits }]) => ({
      text: term,
      weight: weight * shares[edits],
      terms,
      answers,
      typed: text,
    }))
  }
}

function mayBeMistyped({ weight, text, terms }: QueryConcept): boolean {
  const isLong = PARTITIONS.some((partition) => (terms[partition]?.length ?? 0) >= ONE_EDIT_LENGTH)
  return weight === 1 && isLong && !/\p{N}/u.test(text)
}

/** @param frequencyMin how many visible documents must have a word */
function nearWords(concept: QueryConcept, frequencyMin: number, vocabulary: Vocabulary): Meant[] {
  const found = new Alternatives(vocabulary)
  for (const partition of PARTITIONS) {
    const typed = concept.terms[partition]
    if (typed === null || typed.length < ONE_EDIT_LENGTH) continue
    const limit = typed.length < TWO_EDITS_LENGTH ? 1 : 2
    for (const term of vocabulary.withPrefix(partition, typed[0])) {
      const edits = Math.abs(term.length - typed.length) > limit ? -1 : editDistance(typed, term, limit)
      if (edits > 0 && !/\p{N}/u.test(term)) found.add(partition, term, edits)
    }
  }
  return found.best(concept, NEAR_MAX, [1, ONE_EDIT_WEIGHT, TWO_EDITS_WEIGHT], frequencyMin)
}

/**
 * The two words that an unknown word is made of ("head" and "set" for "headset"): of all cuts, the one whose rarer word
 * most visible documents have. A document answers the word if it has both.
 * @param free a number that nothing else answers
 */
function splitWord(concept: QueryConcept, free: number, vocabulary: Vocabulary): Meant[] {
  const { weight, answers = [], terms } = concept
  const word = terms.other ?? ''
  // A compound that analysis has split needs no other cut.
  if (answers.length !== 1) return []
  let most = SPLIT_FREQUENCY_MIN - 1
  let parts: string[] = []
  for (let at = SPLIT_LENGTH_MIN; at <= word.length - SPLIT_LENGTH_MIN; at++) {
    const cut = [word.slice(0, at), word.slice(at)]
    const frequency = Math.min(...cut.map((part) => frequencyOf(part, vocabulary)))
    if (frequency <= most) continue
    most = frequency
    parts = cut
  }
  return parts.map((part, i) => ({
    text: part,
    weight: weight * SPLIT_WEIGHT,
    terms: { de: termOf('de', part), en: termOf('en', part), other: part },
    answers: [i === 0 ? answers[0] : free],
  }))
}

function frequencyOf(word: string, vocabulary: Vocabulary): number {
  return PARTITIONS.reduce((sum, partition) => sum + vocabulary.frequency(partition, termOf(partition, word)), 0)
}

function conceptFrequency({ terms }: QueryConcept, vocabulary: Vocabulary): number {
  return PARTITIONS.reduce((sum, partition) => {
    const term = terms[partition]
    return term === null ? sum : sum + vocabulary.frequency(partition, term)
  }, 0)
}

/**
 * Thousands of words can start with one letter, so exact counting stops once no remaining word can be among the best.
 */
function wordsWithPrefix(concept: QueryConcept, prefix: string, vocabulary: Vocabulary): Meant[] {
  const limits = new Map<string, number>()
  for (const partition of PARTITIONS) {
    const seen = new Set<string>()
    for (const term of vocabulary.withPrefix(partition, prefix[0])) {
      if (!term.startsWith(prefix) || term === concept.terms[partition] || seen.has(term)) continue
      seen.add(term)
      limits.set(term, (limits.get(term) ?? 0) + vocabulary.frequencyAtMost(partition, term))
    }
  }
  const found = new Alternatives(vocabulary)
  const counted: number[] = []
  for (const [term, limit] of [...limits].sort(([, a], [, b]) => b - a)) {
    if (counted.length >= PREFIX_WORDS_MAX && limit < counted[PREFIX_WORDS_MAX - 1]) break
    const own = PARTITIONS.filter((partition) => term !== concept.terms[partition])
    const frequency = own.reduce((sum, partition) => sum + found.add(partition, term, 0), 0)
    counted.push(frequency)
    counted.sort((a, b) => b - a)
    counted.length = Math.min(counted.length, PREFIX_WORDS_MAX)
  }
  return found.best(concept, PREFIX_WORDS_MAX, [PREFIX_WEIGHT])
}

/**
 * The idf of each concept: the idf of the most frequent word among those that its typed word stands for. A spelling that
 * the user may have meant ("shockwave" for "shock wave") says no more than the rarest word that it answers, however
 * rare it is.
 * @param documents number of documents that the frequencies were counted in
 */
export function idfsOf(
  concepts: readonly ScoredConcept[],
  frequencies: readonly number[],
  documents: number,
): readonly number[] {
  const most: number[] = []
  for (const [i, { wordNumber }] of concepts.entries())
    most[wordNumber] = Math.max(most[wordNumber] ?? 0, frequencies[i])
  const idfs = concepts.map(({ wordNumber }) => idf(documents, most[wordNumber]))
  return concepts.map(({ ifKnown, answers = [] }, i) => {
    if (!ifKnown) return idfs[i]
    const words = idfs.filter(
      (_, other) => other !== i && concepts[other].answers?.some((each) => answers.includes(each)),
    )
    return Math.min(idfs[i], ...(words.length === 0 ? [idfs[i]] : [Math.max(...words)]))
  })
}

/**
 * The most that a query can score, without the factor of BM25: for each typed word, the best word that it stands for.
 * Coverage is a share of this.
 * @param worths weight x idf of each concept
 */
export function wholeOf(concepts: readonly ScoredConcept[], worths: readonly number[]): number {
  const best: number[] = []
  for (const [i, { wordNumber }] of concepts.entries()) best[wordNumber] = Math.max(best[wordNumber] ?? 0, worths[i])
  return best.reduce((sum, worth) => sum + worth, 0)
}

/** The score of a concept in one document. */
interface ScoredTerm {
  readonly concept: ScoredConcept
  readonly idf: number
  readonly frequency: number
  readonly score: number
}

/** For explanations: for each typed word, the concept that scores best in the document, the first one on ties. */
export function explainedTerms(scored: readonly ScoredTerm[]): HitExplanation['terms'] {
  const best: ScoredTerm[] = []
  for (const each of scored) {
    const { wordNumber } = each.concept
    if (best[wordNumber] === undefined || each.score > best[wordNumber].score) best[wordNumber] = each
  }
  return best.map(({ concept: { text, typed }, idf, frequency, score }) => {
    const isOther = typed !== undefined && frequency > 0
    return { term: isOther || typed === undefined ? text : typed, idf, frequency, score, ...(isOther ? { typed } : {}) }
  })
}
