/**
 * Other words that a query's words stand for: for a word that occurs nowhere the nearest words that occur, and for the
 * word being typed the words that start with it. A document scores by the best match among the words that one typed
 * word stands for; all of them share one idf. How many of them a document contains, or how rare they are, does not show
 * what the user meant.
 */
import { type Partition, PARTITIONS, type QueryConcept } from '../analysis/analysis.ts'
import { termsWithin } from '../analysis/endings.ts'
import { fold } from '../analysis/folding.ts'
import { termsOneEditAway } from '../analysis/near-spellings.ts'
import { termOf } from '../analysis/partitions.ts'
import { idf } from './bm25.ts'
import type { Correction, HitExplanation, QueryAlternative } from '../engine.ts'
import { meantBy, type SynonymConcept } from './synonyms.ts'

/** Weights of alternatives, as shares of the typed word's weight: one edit away, two edits away, same prefix. */
export const ONE_EDIT_WEIGHT = 0.7
const EDITS_WEIGHTS = [1, ONE_EDIT_WEIGHT, 0.5]
export const PREFIX_WEIGHT = 0.8
/** Weight of two words written as one where such pairs are names. */
const PAIR_WHOLE_WEIGHT = 2
/** How many words may replace a mistyped one, nearest first, and complete a prefix, most frequent first. */
const NEAR_MAX = 4
export const PREFIX_WORDS_MAX = 16
/** From these term lengths on, one edit or two edits are tolerated. */
const ONE_EDIT_LENGTH = 4
const TWO_EDITS_LENGTH = 8
/** Longer words are not corrected: the dictionary has no longer ones, and the table of edits grows with the square. */
const EDITED_LENGTH_MAX = 66
/** Longer prefixes begin so few words that finding them anew costs little. */
const REMEMBERED_LENGTH_MAX = 2
/** A word that at most so many documents have also stands for near words that so many times more have. */
const RARE_MAX = 20
const MORE_FREQUENT = 10
/** An unknown word is cut into words of at least this length, each of which at least so many documents have. */
const SPLIT_LENGTH_MIN = 3
const SPLIT_FREQUENCY_MIN = 2
/** Weight of each of the two words, as a share of the unknown word's weight. */
const SPLIT_WEIGHT = 0.5
/** How many words of a query are corrected. Each looks through the words that have its first letter. */
export const CORRECTED_MAX = 8

/** The terms of the visible documents. */
export interface Vocabulary {
  /** How many visible documents contain the term. */
  frequency(partition: Partition, term: string): number
  /** An upper bound of `frequency` that is cheap to compute. */
  frequencyAtMost(partition: Partition, term: string): number
  /**
   * Calls `visit` with terms that start with `prefix`, each at least once; some may be in no visible document. The sum
   * of the counts of a term is an upper bound of its `frequency`.
   */
  eachWithPrefix(partition: Partition, prefix: string, visit: (term: string, count: number) => void): void
  /**
   * Terms with the first UTF-16 unit of `word` that are within `limit` edits of it, each at least once; some may be in
   * no visible document. With `areBegun`, a term is as near as the nearest of its beginnings.
   */
  near(
    partition: Partition,
    word: string,
    limit: number,
    areBegun: boolean,
  ): Iterable<{ readonly term: string; readonly edits: number }>
  /** What `make` returns for a key, or what it returned before. */
  remembered(key: string, make: () => readonly Alternative[]): readonly Alternative[]
}

/** A concept as it is scored. */
export interface ScoredConcept extends QueryConcept {
  /** Number of the query's word that this concept is or stands for, ascending. */
  readonly wordNumber: number
  /** The typed word, if this concept is another word. */
  readonly typed?: string
  /** How far the typed word is from this one, if it was corrected; absent for the words that it begins. */
  readonly edits?: number
}

interface Expansion {
  readonly fuzzy: boolean
  /** The word being typed, folded; null when the last word is complete. */
  readonly prefix: string | null
  readonly synonyms?: readonly SynonymConcept[]
  /** Whether two words written as one weigh as much as both: names of things are joined, words of prose by chance. */
  readonly wholePairs?: boolean
  /** Fewer than are corrected by default. */
  readonly correctedMax?: number
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
  { fuzzy, prefix, synonyms = [], wholePairs = false, correctedMax = CORRECTED_MAX }: Expansion,
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
    const begun = i === last ? prefix : null
    const completed = begun === null ? [] : wordsWithPrefix(concept, begun, vocabulary)
    const others = [...completed, ...meantBy(concept, synonyms)]
    const mayBeWrong =
      fuzzy && others.length === 0 && corrected < Math.min(correctedMax, CORRECTED_MAX) && mayBeMistyped(concept)
    if (others.length === 0 && !mayBeWrong) return [[concept]]
    const frequency = conceptFrequency(concept, vocabulary)
    if (frequency > (mayBeWrong ? RARE_MAX : 0)) return [[concept, ...others]]
    if (!mayBeWrong) return [others]
    corrected++
    const near = nearWords(concept, begun, Math.max(1, frequency * MORE_FREQUENT), vocabulary)
    if (frequency > 0) return [[concept, ...near]]
    if (near.length > 0) return [near]
    const parts = splitWord(concept, answers + 1, vocabulary)
    answers += parts.length
    return [[concept], ...parts.map((part) => [part])]
  })
  return meant.flatMap((words, wordNumber) => words.map((word) => ({ ...word, wordNumber })))
}

/** A word of a query, or a word that it stands for. */
type Meant = Omit<ScoredConcept, 'wordNumber'>

function prefixConcept(word: string): QueryConcept {
  return { text: word, weight: 1, terms: { de: word, en: word, other: word } }
}

/**
 * The corrected words of a query, in its order: for each, the words that it stands for, nearest first.
 * @param frequencies how many visible documents have each concept
 */
export function corrections(concepts: readonly ScoredConcept[], frequencies: readonly number[]): Correction[] {
  const found = new Map<number, { typed: string; nearest: Correction['nearest'][number][] }>()
  for (const [i, { typed, edits, text, terms, wordNumber }] of concepts.entries()) {
    if (typed === undefined || edits === undefined) continue
    const correction = found.get(wordNumber) ?? { typed, nearest: [] }
    correction.nearest.push({
      term: text,
      partitions: PARTITIONS.filter((each) => terms[each] !== null),
      edits,
      frequency: frequencies[i],
    })
    found.set(wordNumber, correction)
  }
  return [...found.values()]
}

/** The words that a query's words also stand for. */
export function alternativesAmong(concepts: readonly ScoredConcept[]): QueryAlternative[] {
  return concepts.flatMap(({ typed, terms }) => (typed === undefined ? [] : [{ typed, terms }]))
}

/** A term that a typed word may stand for. */
interface ExpansionTerm {
  readonly term: string
  /** Its partitions, and how far it is from the typed word in each. */
  readonly places: { readonly partition: Partition; readonly edits: number }[]
  /** The fewest of these edits, and the most visible documents that can have it. */
  edits: number
  atMost: number
}

/** Terms that a typed word may stand for; the same term in several partitions is one of them. */
class ExpansionTerms {
  readonly #found = new Map<string, ExpansionTerm>()
  readonly #vocabulary: Vocabulary

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** Adds a term that starts with the typed word. The counts of a term add up. */
  addBegun(partition: Partition, term: string, count: number): void {
    const held = this.#found.get(term)
    if (held === undefined) {
      this.#found.set(term, { term, places: [{ partition, edits: 0 }], edits: 0, atMost: count })
      return
    }
    if (held.places[held.places.length - 1].partition !== partition) held.places.push({ partition, edits: 0 })
    held.atMost += count
  }

  /** Adds the term as one edit away if a document may have it. */
  addIfKnown(partition: Partition, term: string): void {
    if (this.#vocabulary.frequencyAtMost(partition, term) > 0) this.add(partition, term, 1)
  }

  add(partition: Partition, term: string, edits: number): void {
    const held = this.#found.get(term)
    const at = held?.places.findIndex((place) => place.partition === partition) ?? -1
    if (held !== undefined && at >= 0) {
      if (edits < held.places[at].edits) held.places[at] = { partition, edits }
      held.edits = Math.min(held.edits, edits)
      return
    }
    const atMost = this.#vocabulary.frequencyAtMost(partition, term)
    if (held === undefined) {
      this.#found.set(term, { term, places: [{ partition, edits }], edits, atMost })
      return
    }
    held.places.push({ partition, edits })
    held.edits = Math.min(held.edits, edits)
    held.atMost += atMost
  }

  /**
   * The best `count` that at least `frequencyMin` documents have: fewest edits, then most frequent, then by code unit. Thousands of terms can start with
   * one letter, so exact counting stops once no remaining term can be among the best.
   */
  best(count: number, frequencyMin = 1): Alternative[] {
    const best: Alternative[] = []
    for (const candidate of [...this.#found.values()].sort((a, b) => a.edits - b.edits || b.atMost - a.atMost)) {
      const { edits, frequency } = best[count - 1] ?? { edits: Infinity, frequency: 0 }
      if (candidate.edits > edits || (candidate.edits === edits && candidate.atMost < frequency)) break
      const alternative = this.#count(candidate)
      if (alternative === null || alternative.frequency < frequencyMin) continue
      best.push(alternative)
      best.sort((a, b) => a.edits - b.edits || b.frequency - a.frequency || (a.term < b.term ? -1 : 1))
      best.length = Math.min(best.length, count)
    }
    return best
  }

  #count({ term, places }: ExpansionTerm): Alternative | null {
    const terms: Record<Partition, string | null> = { de: null, en: null, other: null }
    let fewest = Infinity
    let sum = 0
    for (const { partition, edits } of places) {
      const frequency = this.#vocabulary.frequency(partition, term)
      if (frequency === 0) continue
      terms[partition] = term
      fewest = Math.min(fewest, edits)
      sum += frequency
    }
    return sum === 0 ? null : { term, terms, edits: fewest, frequency: sum }
  }
}

/** A candidate that occurs. */
export interface Alternative {
  readonly term: string
  readonly terms: Readonly<Record<Partition, string | null>>
  readonly edits: number
  readonly frequency: number
}

function mayBeMistyped({ weight, text, terms }: QueryConcept): boolean {
  const isLong = PARTITIONS.some((partition) => (terms[partition]?.length ?? 0) >= ONE_EDIT_LENGTH)
  return weight === 1 && isLong && !/\p{N}/u.test(text)
}

/**
 * The words nearest to a mistyped one.
 * @param begun the word as it was typed if it may be unfinished, folded: then words that begin nearly so count too
 * @param frequencyMin how many visible documents must have a word
 */
function nearWords(concept: QueryConcept, begun: string | null, frequencyMin: number, vocabulary: Vocabulary): Meant[] {
  const found = new ExpansionTerms(vocabulary)
  const look = (partition: Partition, typed: string | null, areBegun: boolean): void => {
    if (typed === null || typed.length < ONE_EDIT_LENGTH || typed.length > EDITED_LENGTH_MAX) return
    const limit = typed.length < TWO_EDITS_LENGTH ? 1 : 2
    for (const { term, edits } of vocabulary.near(partition, typed, limit, areBegun)) {
      if (edits > 0 && !/\p{N}/u.test(term)) found.add(partition, term, edits)
    }
  }
  for (const partition of PARTITIONS) {
    look(partition, concept.terms[partition], false)
    look(partition, begun, true)
    // Stems cut short what is already cut: "mous" is the stem of "mouse", and its own stem is "mou".
    const { other } = concept.terms
    if (other !== null && other.length >= ONE_EDIT_LENGTH && other !== concept.terms[partition])
      found.addIfKnown(partition, other)
    // A word that is only rare is no typo for certain, so its ending counts as written.
    if (other !== null && frequencyMin === 1)
      for (const term of termsOneEditAway(partition, other)) found.addIfKnown(partition, term)
  }
  return found
    .best(NEAR_MAX, frequencyMin)
    .map((each) => ({ ...standIn(concept, each, EDITS_WEIGHTS[each.edits]), edits: each.edits }))
}

/**
 * The two words that an unknown word is made of ("head" and "set" for "headset"): of all cuts, the one whose rarer word
 * most visible documents have. A document answers the word if it has both.
 * @param free a number that nothing else answers
 */
function splitWord(concept: QueryConcept, free: number, vocabulary: Vocabulary): Meant[] {
  const { weight, times, answers = [], terms } = concept
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
    ...(times === undefined ? {} : { times }),
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

/** The words that an unfinished word begins; if there are none, those whose stems it has outgrown. */
function wordsWithPrefix(concept: QueryConcept, prefix: string, vocabulary: Vocabulary): Meant[] {
  const find = (): Alternative[] => {
    const found = new ExpansionTerms(vocabulary)
    for (const partition of PARTITIONS) {
      vocabulary.eachWithPrefix(partition, prefix, (term, count) => {
        if (term !== concept.terms[partition]) found.addBegun(partition, term, count)
      })
    }
    const begun = found.best(PREFIX_WORDS_MAX)
    if (begun.length > 0) return begun
    for (const partition of PARTITIONS) {
      for (const term of termsWithin(partition, prefix)) {
        if (term !== concept.terms[partition]) found.add(partition, term, 0)
      }
    }
    return found.best(PREFIX_WORDS_MAX)
  }
  const key = [prefix, ...PARTITIONS.map((partition) => concept.terms[partition])].join(' ')
  const words = prefix.length > REMEMBERED_LENGTH_MAX ? find() : vocabulary.remembered(key, find)
  return words.map((each) => standIn(concept, each, PREFIX_WEIGHT))
}

/** The concept of another word that a typed one stands for. */
function standIn(concept: QueryConcept, { term, terms }: Alternative, share: number): Meant {
  const { weight, times, text, answers = [] } = concept
  const again = times === undefined ? {} : { times }
  return { text: term, weight: weight * share, ...again, terms, answers, typed: text }
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

/** What a concept adds to a score at most, without the factor of BM25: its weight, as often as it is asked for. */
export function worthOf({ weight, times = 1 }: QueryConcept, idf: number): number {
  return weight * times * idf
}

/**
 * The most that a query can score, without the factor of BM25: for each typed word, the best word that it stands for.
 * Coverage is a share of this.
 * @param worths of each concept
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
