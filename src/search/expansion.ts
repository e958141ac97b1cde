/**
 * What else a query's words stand for: the nearest words that occur where a word does not, and the words that
 * begin with the one being typed. A document scores by the best of what a word stands for, each with its weight
 * and all with one idf: neither how many of them it holds nor how rare they are says how well it is meant.
 */
import { type Partition, PARTITIONS, type QueryConcept } from './analysis/analysis.ts'
import { fold } from './analysis/folding.ts'
import { idf } from './bm25.ts'
import type { HitExplanation } from './engine.ts'
import { editDistance } from '../platform/edit-distance.ts'

/** Weight of an alternative, as a share of the typed word's: one edit away, two, prefix. */
export const ONE_EDIT_WEIGHT = 0.7
const TWO_EDITS_WEIGHT = 0.5
export const PREFIX_WEIGHT = 0.8
/** Words that a mistyped one may stand for, nearest first; and a prefix one, most frequent first. */
const NEAR_MAX = 4
export const PREFIX_WORDS_MAX = 16
/** From this length of a term on one edit is forgiven, from the other on two. */
const ONE_EDIT_LENGTH = 4
const TWO_EDITS_LENGTH = 8
/** Words of a query that are looked for among all others; each is compared with every word of its first letter. */
export const CORRECTED_MAX = 8

/** What the visible documents hold. */
export interface Vocabulary {
  /** Visible documents with the term. */
  frequency(partition: Partition, term: string): number
  /** No fewer than `frequency`, and cheap. */
  frequencyAtMost(partition: Partition, term: string): number
  /** Terms that begin with this UTF-16 unit, each at least once; some may be in no visible document. */
  withPrefix(partition: Partition, unit: string): Iterable<string>
}

/** A concept as it is scored. */
export interface ScoredConcept extends QueryConcept {
  /** Number of the query's word that it is or stands for, ascending. */
  readonly of: number
  /** The word that was typed, where this is another. */
  readonly typed?: string
}

interface Expansion {
  readonly fuzzy: boolean
  /** The word being typed, folded; null when the last word is complete. */
  readonly prefix: string | null
}

/** The word a query ends with, folded; null when it ends with something else: then its last word is complete. */
export function lastWordOf(query: string): string | null {
  return /[\p{L}\p{N}\p{M}]+$/u.exec(fold(query))?.[0] ?? null
}

/** The concepts of a query with what else they stand for. */
export function expand(
  concepts: readonly QueryConcept[],
  { fuzzy, prefix }: Expansion,
  vocabulary: Vocabulary,
): ScoredConcept[] {
  const occursIn = (terms: QueryConcept['terms']): boolean =>
    PARTITIONS.some((partition) => {
      const term = terms[partition]
      return term !== null && vocabulary.frequency(partition, term) > 0
    })
  const asked = concepts.filter(({ unless }) => unless === undefined || !occursIn(unless))
  const known = asked.findIndex((concept) => concept.weight === 1 && concept.terms.other === prefix)
  const typed = prefix === null || known >= 0 ? asked : [...asked, prefixConcept(prefix)]
  const last = known >= 0 ? known : typed.length - 1
  let corrected = 0
  return typed.flatMap((concept, of) => {
    const occurs = occursIn(concept.terms)
    const own: ScoredConcept = { ...concept, of }
    let others = prefix !== null && of === last ? wordsWithPrefix(own, prefix, vocabulary) : []
    if (fuzzy && !occurs && others.length === 0 && corrected < CORRECTED_MAX && mayBeMistyped(own)) {
      corrected++
      others = nearWords(own, vocabulary)
    }
    return occurs || others.length === 0 ? [own, ...others] : others
  })
}

function prefixConcept(word: string): QueryConcept {
  return { text: word, weight: 1, terms: { de: word, en: word, other: word } }
}

interface Alternative {
  readonly terms: Record<Partition, string | null>
  edits: number
  frequency: number
}

/** Alternatives by their term; one term in several partitions is one alternative. */
class Alternatives {
  readonly #found = new Map<string, Alternative>()
  readonly #vocabulary: Vocabulary

  constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
  }

  /** @returns visible documents with the term in that partition; 0 also when it was added before */
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

  /** The best `count`: fewest edits, most frequent, then by code unit. */
  best({ weight, text, of }: ScoredConcept, count: number, shares: readonly number[]): ScoredConcept[] {
    const sorted = [...this.#found].sort(
      ([a, one], [b, other]) => one.edits - other.edits || other.frequency - one.frequency || (a < b ? -1 : 1),
    )
    return sorted
      .slice(0, count)
      .map(([term, { terms, edits }]) => ({ text: term, weight: weight * shares[edits], terms, of, typed: text }))
  }
}

function mayBeMistyped({ weight, text, terms }: ScoredConcept): boolean {
  const isLong = PARTITIONS.some((partition) => (terms[partition]?.length ?? 0) >= ONE_EDIT_LENGTH)
  return weight === 1 && isLong && !/\p{N}/u.test(text)
}

function nearWords(concept: ScoredConcept, vocabulary: Vocabulary): ScoredConcept[] {
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
  return found.best(concept, NEAR_MAX, [1, ONE_EDIT_WEIGHT, TWO_EDITS_WEIGHT])
}

/** Counts exactly only until no term that is left can be among the most frequent: one letter begins thousands. */
function wordsWithPrefix(concept: ScoredConcept, prefix: string, vocabulary: Vocabulary): ScoredConcept[] {
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
 * The idf of each concept: that of the most frequent of what its word stands for.
 * @param documents among which the frequencies are counted
 */
export function idfsOf(
  concepts: readonly ScoredConcept[],
  frequencies: readonly number[],
  documents: number,
): readonly number[] {
  const most: number[] = []
  for (const [i, { of }] of concepts.entries()) most[of] = Math.max(most[of] ?? 0, frequencies[i])
  return concepts.map(({ of }) => idf(documents, most[of]))
}

/**
 * What coverage is a share of, but for the factor of BM25: of each word of the query the best of what it stands for.
 * @param worths weight x idf of each concept
 */
export function wholeOf(concepts: readonly ScoredConcept[], worths: readonly number[]): number {
  const best: number[] = []
  for (const [i, { of }] of concepts.entries()) best[of] = Math.max(best[of] ?? 0, worths[i])
  return best.reduce((sum, worth) => sum + worth, 0)
}

/** A concept and what it is worth in one document. */
interface ScoredTerm {
  readonly concept: ScoredConcept
  readonly idf: number
  readonly frequency: number
  readonly score: number
}

/** Of each word of the query what counts in a document, for explanations: the first of the best it stands for. */
export function explainedTerms(scored: readonly ScoredTerm[]): HitExplanation['terms'] {
  const best: ScoredTerm[] = []
  for (const each of scored) {
    const { of } = each.concept
    if (best[of] === undefined || each.score > best[of].score) best[of] = each
  }
  return best.map(({ concept: { text, typed }, idf, frequency, score }) => {
    const isOther = typed !== undefined && frequency > 0
    return { term: isOther || typed === undefined ? text : typed, idf, frequency, score, ...(isOther ? { typed } : {}) }
  })
}
