/**
 * Finds other words that a query's words stand for: for a word that occurs nowhere the nearest words that occur, and
 * for the word being typed the words that start with it. A document scores by the best match among the words that one
 * typed word stands for, and these words share one idf. How many of these words a document contains, or how rare they
 * are, does not show what the user meant.
 */
import { type Partition, PARTITIONS, type QueryConcept } from '../analysis/analysis.ts'
import { termsWithin } from '../analysis/endings.ts'
import { fold } from '../analysis/folding.ts'
import { termsOneEditAway } from '../analysis/near-spellings.ts'
import { termOf } from '../analysis/partitions.ts'
import { idf } from './bm25.ts'
import type { Correction, HitExplanation, QueryAlternative } from '../engine.ts'
import { synonymsOf, type SynonymConcept } from './synonyms.ts'

/** Weight of a word one edit away from the typed word, as a share of the typed word's weight. */
export const ONE_EDIT_WEIGHT = 0.7
/** The same shares by the number of edits. */
const EDITS_WEIGHTS = [1, ONE_EDIT_WEIGHT, 0.5]
/** Weight of a word that the typed word begins, as such a share. */
export const PREFIX_WEIGHT = 0.8
/** Weight of two words written as one, with `wholePairs`. */
const PAIR_WHOLE_WEIGHT = 2
/** Most words that replace a mistyped one, nearest first. */
const NEAR_MAX = 4
/** Most words that complete a prefix, most frequent first. */
export const PREFIX_WORDS_MAX = 16
/** Least lengths of a term for which one edit or two edits are tolerated. */
const ONE_EDIT_LENGTH = 4
const TWO_EDITS_LENGTH = 8
/** Most characters of a word that is corrected: no longer term exists, and the table of edits grows with the square. */
const EDITED_LENGTH_MAX = 66
/** Most characters of a prefix whose words are cached. Longer prefixes begin few words, which are found quickly. */
const CACHED_LENGTH_MAX = 2
/** Most documents that have a rare word. Such a word also stands for near words that are far more frequent. */
const RARE_MAX = 20
/** How many times more documents must have such a near word. */
const MORE_FREQUENT = 10
/** Least characters of each of the two words into which an unknown word is cut. */
const SPLIT_LENGTH_MIN = 3
/** Least number of documents that must have each of these two words. */
const SPLIT_FREQUENCY_MIN = 2
/** Weight of each of these two words, as a share of the unknown word's weight. */
const SPLIT_WEIGHT = 0.5
/** Most words of a query that are corrected. Correcting a word looks through all words with the same first letter. */
export const CORRECTED_MAX = 8

/** Gives the terms of the visible documents. */
export interface Vocabulary {
  /** Returns how many visible documents contain the term. */
  frequency(partition: Partition, term: string): number
  /** Returns an upper bound of `frequency` that is cheap to compute. */
  frequencyAtMost(partition: Partition, term: string): number
  /**
   * Calls `visit` with terms that start with `prefix`, each at least once; some may be in no visible document. The sum
   * of the counts of a term is an upper bound of its `frequency`.
   */
  eachWithPrefix(partition: Partition, prefix: string, visit: (term: string, count: number) => void): void
  /**
   * Yields the terms with the first UTF-16 unit of `word` that are within `limit` edits of it, each at least once; some
   * may be in no visible document. With `areBegun`, a term is as near as the nearest of its beginnings.
   */
  near(
    partition: Partition,
    word: string,
    limit: number,
    areBegun: boolean,
  ): Iterable<{ readonly term: string; readonly edits: number }>
  /** Returns the cached result for a key; without one, calls `make` and caches its result. */
  remembered(key: string, make: () => readonly Alternative[]): readonly Alternative[]
}

/** A concept as it is scored. */
export interface ScoredConcept extends QueryConcept {
  /** Number of the query's word that this concept is, or stands for. Concepts are sorted by it. */
  readonly wordNumber: number
  /** Typed word that this concept stands for; absent if the concept is that word. */
  readonly typed?: string
  /** Edits between the typed word and this one; absent unless this concept is a correction. */
  readonly edits?: number
}

/** Options of the expansion; `SearchRequest` has their meaning. */
interface Expansion {
  readonly fuzzy: boolean
  /** Word that is still being typed, folded; null when the last word is complete. */
  readonly prefix: string | null
  readonly synonyms?: readonly SynonymConcept[]
  /**
   * Whether two words written as one weigh as much as both. They do in an index of names, such as products; in prose
   * such pairs occur by chance.
   */
  readonly wholePairs?: boolean
  /** Most words to correct, at most and by default `CORRECTED_MAX`. */
  readonly correctedMax?: number
}

/**
 * Returns the word that ends the query, folded. Null if the query ends with another character: then its last word is
 * complete.
 */
export function lastWordOf(query: string): string | null {
  return /[\p{L}\p{N}\p{M}]+$/u.exec(fold(query))?.[0] ?? null
}

/** Returns the concepts of a query, each with the words that it also stands for. */
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
  const required = concepts
    .filter(
      ({ unless, ifKnown, terms }) => (unless === undefined || !occursIn(unless)) && (!ifKnown || occursIn(terms)),
    )
    .map((concept) => (wholePairs && concept.isPair ? { ...concept, weight: PAIR_WHOLE_WEIGHT } : concept))
  const prefixIndex = required.findIndex((concept) => concept.weight === 1 && concept.terms.other === prefix)
  const typed = prefix === null || prefixIndex >= 0 ? required : [...required, prefixConcept(prefix)]
  const last = prefixIndex >= 0 ? prefixIndex : typed.length - 1
  let corrected = 0
  // The highest number that a concept of the query answers.
  let answers = Math.max(-1, ...concepts.flatMap((each) => each.answers ?? []))
  const alternatives = typed.flatMap((concept, i): Alternatives[] => {
    const unfinished = i === last ? prefix : null
    const completions = unfinished === null ? [] : wordsWithPrefix(concept, unfinished, vocabulary)
    const others = [...completions, ...synonymsOf(concept, synonyms)]
    const mayBeWrong =
      fuzzy && others.length === 0 && corrected < Math.min(correctedMax, CORRECTED_MAX) && mayBeMistyped(concept)
    if (others.length === 0 && !mayBeWrong) return [[concept]]
    const frequency = conceptFrequency(concept, vocabulary)
    if (frequency > (mayBeWrong ? RARE_MAX : 0)) return [[concept, ...others]]
    if (!mayBeWrong) return [others]
    corrected++
    const near = nearWords(concept, unfinished, Math.max(1, frequency * MORE_FREQUENT), vocabulary)
    if (frequency > 0) return [[concept, ...near]]
    if (near.length > 0) return [near]
    const parts = splitWord(concept, answers + 1, vocabulary)
    answers += parts.length
    return [[concept], ...parts.map((part) => [part])]
  })
  return alternatives.flatMap((words, wordNumber) => words.map((word) => ({ ...word, wordNumber })))
}

/** A word of a query, or a word that it stands for. */
type Word = Omit<ScoredConcept, 'wordNumber'>
/** The words that one word of a query stands for, the word itself among them if it counts. */
type Alternatives = readonly Word[]

/** Returns a concept for a word being typed that analysis left out, such as a function word so far. */
function prefixConcept(word: string): QueryConcept {
  return { text: word, weight: 1, terms: { de: word, en: word, other: word } }
}

/**
 * Returns the corrected words of a query, in its order, each with the words that it stands for, nearest first.
 * @param frequencies how many visible documents have each concept
 */
export function corrections(concepts: readonly ScoredConcept[], frequencies: readonly number[]): Correction[] {
  const byWord = new Map<number, { typed: string; nearest: Correction['nearest'][number][] }>()
  for (const [i, { typed, edits, text, terms, wordNumber }] of concepts.entries()) {
    if (typed === undefined || edits === undefined) continue
    const correction = byWord.get(wordNumber) ?? { typed, nearest: [] }
    correction.nearest.push({
      term: text,
      partitions: PARTITIONS.filter((each) => terms[each] !== null),
      edits,
      frequency: frequencies[i],
    })
    byWord.set(wordNumber, correction)
  }
  return [...byWord.values()]
}

/** Returns those concepts that are other words than the typed ones, as they are answered. */
export function alternativesAmong(concepts: readonly ScoredConcept[]): QueryAlternative[] {
  return concepts.flatMap(({ typed, terms }) => (typed === undefined ? [] : [{ typed, terms }]))
}

/** A term that a typed word may stand for. */
interface ExpansionTerm {
  readonly term: string
  /** The partitions that have the term, with its edits from the typed word in each. */
  readonly places: { readonly partition: Partition; readonly edits: number }[]
  /** Fewest of these edits. */
  edits: number
  /** Upper bound of the number of visible documents that have the term. */
  atMost: number
}

/** Collects the terms that a typed word may stand for. A term that occurs in several partitions counts as one. */
class ExpansionTerms {
  readonly #terms = new Map<string, ExpansionTerm>()
  readonly #vocabulary: Vocabulary

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** Adds a term that starts with the typed word. The counts of a term add up. */
  addBegun(partition: Partition, term: string, count: number): void {
    const candidate = this.#terms.get(term)
    if (candidate === undefined) {
      this.#terms.set(term, { term, places: [{ partition, edits: 0 }], edits: 0, atMost: count })
      return
    }
    const { places } = candidate
    if (places[places.length - 1].partition !== partition) places.push({ partition, edits: 0 })
    candidate.atMost += count
  }

  /** Adds a term as one edit away if a visible document may have it. */
  addIfPresent(partition: Partition, term: string): void {
    if (this.#vocabulary.frequencyAtMost(partition, term) > 0) this.add(partition, term, 1)
  }

  /** Adds a term. If it was added before for the partition, the fewer edits count. */
  add(partition: Partition, term: string, edits: number): void {
    const candidate = this.#terms.get(term)
    const at = candidate?.places.findIndex((place) => place.partition === partition) ?? -1
    if (candidate !== undefined && at >= 0) {
      if (edits < candidate.places[at].edits) candidate.places[at] = { partition, edits }
      candidate.edits = Math.min(candidate.edits, edits)
      return
    }
    const atMost = this.#vocabulary.frequencyAtMost(partition, term)
    if (candidate === undefined) {
      this.#terms.set(term, { term, places: [{ partition, edits }], edits, atMost })
      return
    }
    candidate.places.push({ partition, edits })
    candidate.edits = Math.min(candidate.edits, edits)
    candidate.atMost += atMost
  }

  /**
   * Returns the best `count` terms that at least `frequencyMin` documents have: fewest edits first, then most frequent,
   * then by code unit. Thousands of terms can start with one letter, so exact counting stops once no remaining term can
   * be among the best.
   */
  best(count: number, frequencyMin = 1): Alternative[] {
    const best: Alternative[] = []
    for (const candidate of [...this.#terms.values()].sort((a, b) => a.edits - b.edits || b.atMost - a.atMost)) {
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

  /** Counts the documents that have a term; null if none has it. */
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

/** A term that a typed word may stand for and that visible documents have. */
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
 * Returns the words nearest to a mistyped one.
 * @param unfinished the word, folded, if it is still being typed: then words that begin nearly like it count too
 * @param frequencyMin how many visible documents must have a word
 */
function nearWords(
  concept: QueryConcept,
  unfinished: string | null,
  frequencyMin: number,
  vocabulary: Vocabulary,
): Word[] {
  const candidates = new ExpansionTerms(vocabulary)
  const look = (partition: Partition, typed: string | null, areBegun: boolean): void => {
    if (typed === null || typed.length < ONE_EDIT_LENGTH || typed.length > EDITED_LENGTH_MAX) return
    const limit = typed.length < TWO_EDITS_LENGTH ? 1 : 2
    for (const { term, edits } of vocabulary.near(partition, typed, limit, areBegun)) {
      if (edits > 0 && !/\p{N}/u.test(term)) candidates.add(partition, term, edits)
    }
  }
  for (const partition of PARTITIONS) {
    look(partition, concept.terms[partition], false)
    look(partition, unfinished, true)
    // Stemming would shorten a typed stem once more: "mous" is the stem of "mouse", and the stem of "mous" is "mou".
    const { other } = concept.terms
    if (other !== null && other.length >= ONE_EDIT_LENGTH && other !== concept.terms[partition])
      candidates.addIfPresent(partition, other)
    // A word that is only rare is no typo for certain, so its ending counts as written.
    if (other !== null && frequencyMin === 1)
      for (const term of termsOneEditAway(partition, other)) candidates.addIfPresent(partition, term)
  }
  return candidates
    .best(NEAR_MAX, frequencyMin)
    .map((each) => ({ ...standIn(concept, each, EDITS_WEIGHTS[each.edits]), edits: each.edits }))
}

/**
 * Returns the two words of which an unknown word is made ("head" and "set" for "headset"); none if there is no such
 * cut. Of all cuts it takes the one whose rarer word most visible documents have. A document answers the unknown word
 * if it has both words.
 * @param free a number that no concept answers yet
 */
function splitWord(concept: QueryConcept, free: number, vocabulary: Vocabulary): Word[] {
  const { weight, times, answers = [], terms } = concept
  const word = terms.other ?? ''
  // A compound that analysis has split answers several numbers, and needs no other cut.
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

/**
 * Returns the words that an unfinished word begins. If there are none, returns the words whose stem is shorter than the
 * unfinished word, such as "install" for "installat".
 */
function wordsWithPrefix(concept: QueryConcept, prefix: string, vocabulary: Vocabulary): Word[] {
  const find = (): Alternative[] => {
    const candidates = new ExpansionTerms(vocabulary)
    for (const partition of PARTITIONS) {
      vocabulary.eachWithPrefix(partition, prefix, (term, count) => {
        if (term !== concept.terms[partition]) candidates.addBegun(partition, term, count)
      })
    }
    const completions = candidates.best(PREFIX_WORDS_MAX)
    if (completions.length > 0) return completions
    for (const partition of PARTITIONS) {
      for (const term of termsWithin(partition, prefix)) {
        if (term !== concept.terms[partition]) candidates.add(partition, term, 0)
      }
    }
    return candidates.best(PREFIX_WORDS_MAX)
  }
  const key = [prefix, ...PARTITIONS.map((partition) => concept.terms[partition])].join(' ')
  const words = prefix.length > CACHED_LENGTH_MAX ? find() : vocabulary.remembered(key, find)
  return words.map((each) => standIn(concept, each, PREFIX_WEIGHT))
}

/** Returns the concept of another word that a typed word stands for. */
function standIn(concept: QueryConcept, { term, terms }: Alternative, share: number): Word {
  const { weight, times, text, answers = [] } = concept
  const again = times === undefined ? {} : { times }
  return { text: term, weight: weight * share, ...again, terms, answers, typed: text }
}

/**
 * Returns the idf of each concept: the idf of the most frequent word among those that its typed word stands for. A
 * joined spelling ("shockwave" for "shock wave"), however rare, gets at most the idf of the rarest word that it
 * answers.
 * @param documents number of documents in which the frequencies were counted
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

/** Returns the most that a concept adds to a score, without the factor of BM25: weight times occurrences times idf. */
export function worthOf({ weight, times = 1 }: QueryConcept, idf: number): number {
  return weight * times * idf
}

/**
 * Returns the most that a query can score, without the factor of BM25: the sum, over the typed words, of the best word
 * that each stands for. Coverage is a share of this sum.
 * @param worths worth of each concept
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

/**
 * Returns for each typed word the concept that scores best in a document, the first one on ties, for an explanation.
 */
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
