import { analyseQuery, eachTermPlace, type Partition, partitionOf } from '../analysis/analysis.ts'

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
const MATCHES_MAX = 500

/** The words of a query, as documents of each language have them. */
export class QueryWords {
  readonly #concepts: ReturnType<typeof analyseQuery>
  readonly #terms = new Map<Partition, ReadonlyMap<string, number>>()

  constructor(query: string) {
    this.#concepts = analyseQuery(query, null)
  }

  /**
   * The words of the query in a text, in their order, without overlaps.
   * @param language ISO 639 code of the text
   */
  matchesIn(text: string, language: string): WordMatch[] {
    const partition = partitionOf(language)
    const wanted = this.#termsOf(partition)
    const found: WordMatch[] = []
    if (wanted.size === 0) return found
    eachTermPlace(partition, text, (start, end, terms) => {
      let best = -1
      for (const term of terms) {
        const concept = wanted.get(term)
        if (concept !== undefined && (best < 0 || this.#weight(concept) > this.#weight(best))) best = concept
      }
      if (best < 0 || found.length >= MATCHES_MAX) return
      const last = found.at(-1)
      if (last !== undefined && last.end > start) {
        // Pairs of characters overlap; together they are one match.
        found[found.length - 1] = { ...last, end: Math.max(last.end, end) }
      } else found.push({ start, end, concept: best, weight: this.#weight(best) })
    })
    return found
  }

  #weight(concept: number): number {
    return this.#concepts[concept].weight
  }

  /** By term, the first concept that it belongs to: concepts of whole words come first. */
  #termsOf(partition: Partition): ReadonlyMap<string, number> {
    let terms = this.#terms.get(partition) as Map<string, number> | undefined
    if (terms === undefined) {
      terms = new Map()
      for (const [i, concept] of this.#concepts.entries()) {
        const term = concept.terms[partition]
        if (term !== null && !terms.has(term)) terms.set(term, i)
      }
      this.#terms.set(partition, terms)
    }
    return terms
  }
}
