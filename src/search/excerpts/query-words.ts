import { eachTermPlace, type Partition, partitionOf, type QueryConcept, readQuery } from '../analysis/analysis.ts'
import type { QueryAlternative } from '../engine.ts'
import { WordFilter } from './word-filter.ts'

/** A word of the query in a text: its place in UTF-16 units. */
export interface WordMatch {
  readonly start: number
  readonly end: number
  /** Number of the query's concept. */
  readonly concept: number
  /** 1 for a whole word, less for a part of one. */
  readonly weight: number
}

/** Most matches that are looked at in one text. */
const MATCHES_MAX = 200
/** A stretch without white space is cut at this length around a word. */
const STRETCH_MAX = 128

const NO_TERMS: QueryConcept['terms'] = { de: null, en: null, other: null }

/** The terms of a query in one partition, and where they may stand. */
interface Wanted {
  /** By term, the first concept that it belongs to: concepts of whole words come first. */
  readonly terms: ReadonlyMap<string, number>
  readonly filter: WordFilter
}

/** The words of a query, as documents of each language have them. */
export class QueryWords {
  readonly #concepts: readonly Pick<QueryConcept, 'text' | 'terms' | 'weight'>[]
  readonly #alternatives: readonly QueryAlternative[]
  readonly #wanted = new Map<Partition, Wanted>()

  /** @param alternatives what words of the query also stand for */
  constructor(query: string, alternatives: readonly QueryAlternative[] = []) {
    const { concepts } = readQuery(query)
    const known = new Set(concepts.map(({ text }) => text))
    // The word being typed is no concept where it is a function word so far.
    const begun = [...new Set(alternatives.map(({ typed }) => typed))].filter((typed) => !known.has(typed))
    this.#concepts = [...concepts, ...begun.map((text) => ({ text, terms: NO_TERMS, weight: 1 }))]
    this.#alternatives = alternatives
  }

  /**
   * The words of the query in a text, in their order, without overlaps.
   * @param language ISO 639 code of the text
   */
  matchesIn(text: string, language: string): WordMatch[] {
    const partition = partitionOf(language)
    const { terms, filter } = this.#wantedIn(partition)
    const found: WordMatch[] = []
    for (let read = 0; found.length < MATCHES_MAX;) {
      const place = filter.next(text, read)
      if (place < 0) break
      const { start, end } = stretchAround(text, place, read)
      eachTermPlace(partition, text.slice(start, end), (from, to, own) => {
        this.#note(found, start + from, start + to, own, terms)
      })
      read = end
    }
    return found
  }

  /** Adds a match if one of the terms is wanted. */
  #note(
    found: WordMatch[],
    start: number,
    end: number,
    own: readonly string[],
    wanted: ReadonlyMap<string, number>,
  ): void {
    let best = -1
    for (const term of own) {
      const concept = wanted.get(term)
      if (concept !== undefined && (best < 0 || this.#weight(concept) > this.#weight(best))) best = concept
    }
    if (best < 0) return
    const last = found.at(-1)
    if (last !== undefined && last.end > start) {
      // Pairs of characters overlap; together they are one match.
      found[found.length - 1] = { ...last, end: Math.max(last.end, end) }
    } else found.push({ start, end, concept: best, weight: this.#weight(best) })
  }

  #weight(concept: number): number {
    return this.#concepts[concept].weight
  }

  #wantedIn(partition: Partition): Wanted {
    const held = this.#wanted.get(partition)
    if (held !== undefined) return held
    const terms = new Map<string, number>()
    for (const [i, concept] of this.#concepts.entries()) {
      const term = concept.terms[partition]
      if (term !== null && !terms.has(term)) terms.set(term, i)
    }
    for (const { typed, terms: meant } of this.#alternatives) {
      const term = meant[partition]
      if (term !== null && !terms.has(term)) {
        terms.set(
          term,
          this.#concepts.findIndex(({ text }) => text === typed),
        )
      }
    }
    const wanted = { terms, filter: new WordFilter(terms.keys()) }
    this.#wanted.set(partition, wanted)
    return wanted
  }
}

const SPACE = 0x20

/** The stretch without white space around a place, from `least` on. */
function stretchAround(text: string, place: number, least: number): { start: number; end: number } {
  const first = Math.max(least, place - STRETCH_MAX)
  let start = place
  while (start > first && text.charCodeAt(start - 1) > SPACE) start--
  const last = Math.min(text.length, place + STRETCH_MAX)
  let end = place + 1
  while (end < last && text.charCodeAt(end) > SPACE) end++
  return { start, end }
}
