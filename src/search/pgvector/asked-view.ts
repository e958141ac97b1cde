/**
 * What the visible documents of a replica have of words, for code that asks at once and cannot wait. What is not known
 * yet gets an upper bound as the answer and becomes a question; `settle` runs the code again until no question is open.
 */
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'
import type { PartitionTerm, View } from '../memory/keyword.ts'
import { nearTerms, type NearTerm } from '../memory/sorted-terms.ts'
import { lexemeOf, termOfLexeme, tsqueryOf } from './lexemes.ts'
import {
  countMatches,
  countWords,
  findWords,
  type Totals,
  type VisibleReplica,
  wordsBeginning,
  wordsOfLength,
} from './words-store.ts'

/** The words that one mistyped word is compared with. */
interface NearQuestion {
  readonly start: string
  readonly least: number
  readonly most: number | null
}

/** More rounds would be a search that never ends. */
const ROUNDS_MAX = 64

export class AskedView implements View {
  readonly total: number
  readonly lengthSum: number
  /** Whether any number comes from the sample. */
  isEstimated: boolean
  readonly #replica: VisibleReplica
  readonly #totals: Totals
  /** Whether every document is visible, so that words need not be counted again. */
  readonly #isWhole: boolean
  readonly #atMost = new Map<string, number>()
  readonly #counts = new Map<string, number>()
  readonly #begun = new Map<string, readonly { term: string; count: number }[]>()
  readonly #near = new Map<string, readonly string[]>()
  readonly #complete = new Map<string, number>()
  readonly #open = {
    words: new Set<string>(),
    counts: new Set<string>(),
    starts: new Set<string>(),
    near: new Map<string, NearQuestion>(),
    complete: new Set<string>(),
  }

  constructor(replica: VisibleReplica, totals: Totals, isWhole: boolean) {
    this.#replica = replica
    this.#totals = totals
    this.#isWhole = isWhole
    this.total = PARTITIONS.reduce((sum, each) => sum + totals.documents[each], 0)
    this.lengthSum = totals.lengthSum
    this.isEstimated = totals.isEstimated
  }

  /** What `work` comes to once all that it asks is known. */
  async settle<T>(work: () => T): Promise<T> {
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const result = work()
      if (!(await this.#answer())) return result
    }
    throw new Error('a search asked for words again and again')
  }

  /** Makes the words known together, before they are asked for one after the other. */
  expect(terms: readonly PartitionTerm[]): void {
    for (const { partition, term } of terms) this.frequency(partition, term)
  }

  readonly documents = (partition: Partition): number => this.#totals.documents[partition]

  readonly frequency = (partition: Partition, term: string): number => {
    const lexeme = lexemeOf({ partition, term })
    const isKnown = this.#atMost.has(lexeme)
    const atMost = this.frequencyAtMost(partition, term)
    if ((isKnown && atMost === 0) || (this.#isWhole && !this.#totals.isEstimated)) return atMost
    const count = this.#counts.get(lexeme)
    if (count === undefined) this.#open.counts.add(lexeme)
    // What a sample says may be more than there are, and then the word would be worth less than nothing.
    return Math.min(count ?? atMost, this.#totals.documents[partition])
  }

  readonly frequencyAtMost = (partition: Partition, term: string): number => {
    const lexeme = lexemeOf({ partition, term })
    const known = this.#atMost.get(lexeme)
    if (known === undefined) this.#open.words.add(lexeme)
    return known ?? 0
  }

  readonly eachWithPrefix = (
    partition: Partition,
    prefix: string,
    visit: (term: string, count: number) => void,
  ): void => {
    const start = lexemeOf({ partition, term: prefix })
    const known = this.#begun.get(start)
    if (known === undefined) this.#open.starts.add(start)
    for (const { term, count } of known ?? []) visit(term, count)
  }

  readonly near = (partition: Partition, word: string, limit: number, areBegun: boolean): Iterable<NearTerm> => {
    const [first] = word
    const start = lexemeOf({ partition, term: first })
    const length = word.length + 1
    const key = JSON.stringify([start, length, limit, areBegun])
    const known = this.#near.get(key)
    if (known !== undefined) return nearTerms(known, word, limit, areBegun)
    this.#open.near.set(key, { start, least: length - limit, most: areBegun ? null : length + limit })
    return []
  }

  readonly remembered = <T>(_key: string, make: () => T): T => make()

  readonly complete = (words: readonly (readonly PartitionTerm[])[]): number => {
    if (words.some((list) => list.length === 0)) return 0
    const query = tsqueryOf(words.map((list) => list.map(lexemeOf)))
    const known = this.#complete.get(query)
    if (known === undefined) this.#open.complete.add(query)
    return known ?? 0
  }

  /** @returns whether there was a question */
  async #answer(): Promise<boolean> {
    const { words, counts, starts, near, complete } = this.#open
    if (words.size + counts.size + starts.size + near.size + complete.size === 0) return false
    if (words.size > 0) await this.#findWords([...words])
    for (const start of starts) {
      const found = await wordsBeginning(this.#replica, start)
      this.#note(found)
      this.#begun.set(
        start,
        found.map(({ lexeme, documents }) => ({ term: termOfLexeme(lexeme), count: documents })),
      )
    }
    for (const [key, { start, ...length }] of near) {
      const found = await wordsOfLength(this.#replica, start, length)
      this.#note(found)
      this.#near.set(key, found.map(({ lexeme }) => termOfLexeme(lexeme)).sort())
    }
    // A word that no document has was asked to be counted before that was known.
    const counted = [...counts].filter((lexeme) => this.#atMost.get(lexeme) !== 0)
    if (counted.length > 0) await this.#count(counted)
    if (complete.size > 0) await this.#countComplete([...complete])
    for (const each of [words, counts, starts, near, complete]) each.clear()
    return true
  }

  async #findWords(lexemes: readonly string[]): Promise<void> {
    for (const lexeme of lexemes) this.#atMost.set(lexeme, 0)
    this.#note(await findWords(this.#replica, lexemes))
  }

  #note(found: readonly { readonly lexeme: string; readonly documents: number }[]): void {
    for (const { lexeme, documents } of found) this.#atMost.set(lexeme, documents)
  }

  async #count(lexemes: readonly string[]): Promise<void> {
    const counted = await countWords(this.#replica, lexemes)
    for (const [i, { count, isEstimated }] of counted.entries()) {
      this.#counts.set(lexemes[i], count)
      this.isEstimated ||= isEstimated
    }
  }

  async #countComplete(queries: readonly string[]): Promise<void> {
    const counted = await countMatches(this.#replica, queries)
    for (const [i, { count, isEstimated }] of counted.entries()) {
      this.#complete.set(queries[i], count)
      this.isEstimated ||= isEstimated
    }
  }
}
