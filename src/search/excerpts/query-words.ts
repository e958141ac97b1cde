import { eachTermPlace, type Partition, partitionOf, type QueryConcept, readQuery } from '../analysis/analysis.ts'
import type { QueryAlternative } from '../engine.ts'
import { drain } from '../../platform/threads/steps.ts'
import { WordFilter } from './word-filter.ts'

/** The place of a word of the query in a text. Offsets are UTF-16 units. */
export interface WordMatch {
  readonly start: number
  readonly end: number
  /** Number of the concept that the word stands for. */
  readonly concept: number
  /** 1 for a whole word, less for a part of one. */
  readonly weight: number
}

/** Most matches in one text. */
const MATCHES_MAX = 200
/** Most characters on either side of a possible place. A stretch without white space that is longer is cut. */
const STRETCH_MAX = 128

/**
 * Possible places whose words are read in one step. A place among words that hyphens tie together takes up to a fifth of
 * a millisecond, any other a few thousandths.
 */
const PLACES_A_STEP = 8
/** Characters that are searched for possible places in one step, up to the next white space. */
const SEARCHED_A_STEP = 65_536

const NO_TERMS: QueryConcept['terms'] = { de: null, en: null, other: null }

/** The terms of a query in one partition. */
interface PartitionTerms {
  /** The number of the first concept that has a term. Concepts of whole words come first. */
  readonly terms: ReadonlyMap<string, number>
  /** Finds places where the terms may stand. */
  readonly filter: WordFilter
}

/** Finds the words of one query in texts of any language. */
export class QueryWords {
  readonly #concepts: readonly Pick<QueryConcept, 'text' | 'terms' | 'weight'>[]
  readonly #alternatives: readonly QueryAlternative[]
  readonly #partitions = new Map<Partition, PartitionTerms>()

  /** @param alternatives words that words of the query also stand for */
  constructor(query: string, alternatives: readonly QueryAlternative[] = []) {
    const { concepts } = readQuery(query)
    const conceptTexts = new Set(concepts.map(({ text }) => text))
    // A word that is still being typed may be a function word so far, and then it is no concept of the query.
    const others = [...new Set(alternatives.map(({ typed }) => typed))].filter((typed) => !conceptTexts.has(typed))
    this.#concepts = [...concepts, ...others.map((text) => ({ text, terms: NO_TERMS, weight: 1 }))]
    this.#alternatives = alternatives
  }

  /**
   * Returns the words of the query in a text, in the order of the text, without overlaps.
   * @param language ISO 639 code of the text
   */
  matchesIn(text: string, language: string): WordMatch[] {
    return drain(this.matching(text, language, { characters: Infinity }))
  }

  /**
   * Finds the words like `matchesIn`, in steps of about a millisecond.
   * @param left characters that may still be read at possible places; the method lowers them and ends when none is left
   */
  *matching(text: string, language: string, left: { characters: number }): Generator<undefined, WordMatch[]> {
    const partition = partitionOf(language)
    const { terms, filter } = this.#termsIn(partition)
    const matches: WordMatch[] = []
    let read = 0
    let border = 0
    let places = 0
    while (read < text.length && matches.length < MATCHES_MAX && left.characters > 0) {
      if (read >= border) border = spaceFrom(text, read + SEARCHED_A_STEP)
      const place = filter.next(text, read, border)
      if (place < 0) {
        read = border
        yield
        continue
      }
      const { start, end } = stretchAround(text, place, read)
      left.characters -= end - start
      eachTermPlace(partition, text.slice(start, end), (from, to, own) => {
        this.#note(matches, start + from, start + to, own, terms)
      })
      read = end
      places++
      if (places % PLACES_A_STEP === 0) yield
    }
    return matches
  }

  /** Adds a match if one of a chain's terms is a term of the query. @param own terms of the chain */
  #note(
    matches: WordMatch[],
    start: number,
    end: number,
    own: readonly string[],
    queryTerms: ReadonlyMap<string, number>,
  ): void {
    let best = -1
    for (const term of own) {
      const concept = queryTerms.get(term)
      if (concept !== undefined && (best < 0 || this.#weight(concept) > this.#weight(best))) best = concept
    }
    if (best < 0) return
    const last = matches.at(-1)
    if (last !== undefined && last.end > start) {
      // Pairs of characters overlap; together they are one match.
      matches[matches.length - 1] = { ...last, end: Math.max(last.end, end) }
    } else matches.push({ start, end, concept: best, weight: this.#weight(best) })
  }

  #weight(concept: number): number {
    return this.#concepts[concept].weight
  }

  #termsIn(partition: Partition): PartitionTerms {
    const cached = this.#partitions.get(partition)
    if (cached !== undefined) return cached
    const terms = new Map<string, number>()
    for (const [i, concept] of this.#concepts.entries()) {
      const term = concept.terms[partition]
      if (term !== null && !terms.has(term)) terms.set(term, i)
    }
    for (const { typed, terms: otherTerms } of this.#alternatives) {
      const term = otherTerms[partition]
      if (term !== null && !terms.has(term)) {
        terms.set(
          term,
          this.#concepts.findIndex(({ text }) => text === typed),
        )
      }
    }
    const partitionTerms = { terms, filter: new WordFilter(terms.keys()) }
    this.#partitions.set(partition, partitionTerms)
    return partitionTerms
  }
}

const SPACE = 0x20

/** Returns the offset of the first white space from `from` on; the text's length without any. */
function spaceFrom(text: string, from: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) > SPACE) at++
  return Math.min(at, text.length)
}

/** Returns the bounds of the stretch without white space around a place; it does not begin before `least`. */
function stretchAround(text: string, place: number, least: number): { start: number; end: number } {
  const first = Math.max(least, place - STRETCH_MAX)
  let start = place
  while (start > first && text.charCodeAt(start - 1) > SPACE) start--
  const last = Math.min(text.length, place + STRETCH_MAX)
  let end = place + 1
  while (end < last && text.charCodeAt(end) > SPACE) end++
  return { start, end }
}
