/**
 * What the visible documents of a replica have of words, for code that asks at once and cannot wait. What is not known
 * yet gets an estimate as the answer, 0 without one, and becomes a question; `settle` runs the code again until no question is open.
 */
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'
import { PREFIX_WORDS_MAX } from '../ranking/expansion.ts'
import type { PartitionTerm, View } from '../memory/query/keyword.ts'
import type { NearTerm } from '../memory/columns/sorted-terms.ts'
import { fitsVector, lexemeOf, termOfLexeme, tsqueryOf } from './lexemes.ts'
import { findNearWords, type NearQuestion } from './near-words.ts'
import {
  type Counted,
  countKnownWords,
  countMatches,
  countWords,
  findWords,
  type Totals,
  type VisibleReplica,
  visibleWords,
  within,
} from './words-store.ts'

/** After so many rounds nothing more is asked. */
const ROUNDS_MAX = 64
/** How long a search may look for words that are not in its query. */
const EXPANSION_MAX_MS = 2_000
/** The most frequent words with one beginning, of which the typed word is left out in each partition. */
const BEGUN_MAX = PREFIX_WORDS_MAX + PARTITIONS.length

export class AskedView implements View {
  readonly total: number
  readonly lengthSum: number
  /** Whether any number comes from the sample, or words are missing that the query may stand for. */
  isEstimated: boolean
  readonly #replica: VisibleReplica
  readonly #totals: Totals
  /** Whether every document is visible, so that words need not be counted again. */
  readonly #isWhole: boolean
  /** Upper bounds, or estimates where there is none, until a word is counted. */
  readonly #atMost = new Map<string, number>()
  readonly #counts = new Map<string, number>()
  readonly #begun = new Map<string, readonly string[]>()
  readonly #near = new Map<string, readonly NearTerm[]>()
  readonly #complete = new Map<string, number>()
  /** What is left of the time for that. Once it is 0, words that are not known count as words that nobody has. */
  #leftMs: number
  readonly #open = {
    words: new Set<string>(),
    prefixes: new Set<string>(),
    near: new Map<string, NearQuestion>(),
    complete: new Set<string>(),
  }

  constructor(replica: VisibleReplica, totals: Totals, isWhole: boolean, expansionMaxMs = EXPANSION_MAX_MS) {
    this.#leftMs = expansionMaxMs
    this.#replica = replica
    this.#totals = totals
    this.#isWhole = isWhole && !totals.isEstimated
    this.total = PARTITIONS.reduce((sum, each) => sum + totals.documents[each], 0)
    this.lengthSum = totals.lengthSum
    this.isEstimated = totals.isEstimated
  }

  /**
   * Counts the words of the query. The statements are the same for a word that only hidden documents have and for one
   * that nobody has, so their time tells next to nothing.
   */
  async expect(terms: readonly PartitionTerm[]): Promise<void> {
    const lexemes = [...new Set(terms.map(lexemeOf))]
    if (this.#isWhole) return this.#countWhole(lexemes)
    const fitting = lexemes.filter(fitsVector)
    const counted = fitting.length === 0 ? [] : await countWords(this.#replica, fitting)
    this.#note(lexemes, new Map(counted.map((each, i) => [fitting[i], each])))
  }

  /** What `work` comes to once all that it asks is known. */
  async settle<T>(work: () => T): Promise<T> {
    for (let round = 1; ; round++) {
      if (round > ROUNDS_MAX) this.#leftMs = 0
      const result = work()
      if (!(await this.#answer())) return result
    }
  }

  readonly documents = (partition: Partition): number => this.#totals.documents[partition]

  readonly frequency = (partition: Partition, term: string): number => {
    const lexeme = lexemeOf({ partition, term })
    const count = this.#counts.get(lexeme)
    if (count === undefined) this.#open.words.add(lexeme)
    // What a sample says may be more than there are, and then the word would be worth less than nothing.
    return Math.min(count ?? this.#assumed(lexeme), this.#totals.documents[partition])
  }

  readonly frequencyAtMost = (partition: Partition, term: string): number => {
    const lexeme = lexemeOf({ partition, term })
    const isKnown = this.#counts.has(lexeme) || this.#atMost.has(lexeme)
    if (!isKnown) this.#open.words.add(lexeme)
    return this.#counts.get(lexeme) ?? this.#assumed(lexeme)
  }

  readonly eachWithPrefix = (
    partition: Partition,
    prefix: string,
    visit: (term: string, count: number) => void,
  ): void => {
    const known = this.#begun.get(lexemeOf({ partition, term: prefix }))
    if (known === undefined) this.#open.prefixes.add(prefix)
    for (const term of known ?? []) visit(term, this.frequencyAtMost(partition, term))
  }

  readonly near = (partition: Partition, word: string, limit: number, areBegun: boolean): Iterable<NearTerm> => {
    const key = JSON.stringify([partition, word, limit, areBegun])
    const known = this.#near.get(key)
    if (known === undefined) this.#open.near.set(key, { partition, word, limit, areBegun })
    return known ?? []
  }

  readonly remembered = <T>(_key: string, make: () => T): T => make()

  readonly complete = (words: readonly (readonly PartitionTerm[])[]): number => {
    if (words.some((list) => list.length === 0)) return 0
    const query = tsqueryOf(words.map((list) => list.map(lexemeOf)))
    const known = this.#complete.get(query)
    if (known === undefined) this.#open.complete.add(query)
    return known ?? 0
  }

  #assumed(lexeme: string): number {
    return this.#leftMs === 0 ? 0 : (this.#atMost.get(lexeme) ?? 0)
  }

  /** @returns whether the work has to be done again */
  async #answer(): Promise<boolean> {
    const { words, prefixes, near, complete } = this.#open
    const wasOver = this.#leftMs === 0
    const isAsked = words.size + prefixes.size + near.size > 0
    if (isAsked && wasOver) this.isEstimated = true
    else if (isAsked) await this.#lookForWords()
    if (complete.size > 0) await this.#countComplete([...complete])
    const isAnew = complete.size > 0 || (isAsked && !wasOver)
    for (const each of [words, prefixes, near, complete]) each.clear()
    return isAnew
  }

  /** Answers all questions but those for documents with all words, or as many as there is time for. */
  async #lookForWords(): Promise<void> {
    const until = performance.now() + this.#leftMs
    const { words, prefixes, near } = this.#open
    const steps = [
      () => this.#countKnown([...words]),
      ...Array.from(prefixes, (prefix) => () => this.#findBegun(prefix)),
      ...Array.from(
        near,
        ([key, question]) =>
          () =>
            this.#findNear(key, question),
      ),
    ]
    const done = await within(this.#replica.queries, this.#leftMs, async () => {
      for (const [i, step] of steps.entries()) {
        if (performance.now() >= until) return i
        await step()
      }
      return steps.length
    })
    this.#leftMs = done === steps.length ? Math.max(0, until - performance.now()) : 0
  }

  async #countKnown(lexemes: readonly string[]): Promise<void> {
    if (this.#isWhole) return this.#countWhole(lexemes)
    if (lexemes.length > 0) this.#note(lexemes, await countKnownWords(this.#replica, lexemes.filter(fitsVector)))
  }

  async #countWhole(lexemes: readonly string[]): Promise<void> {
    if (lexemes.length === 0) return
    const found = await findWords(this.#replica, lexemes)
    this.#note(
      lexemes,
      new Map(found.map(({ lexeme, documents }) => [lexeme, { count: documents, isEstimated: false }])),
    )
  }

  #note(lexemes: readonly string[], counted: ReadonlyMap<string, Counted>): void {
    for (const lexeme of lexemes) {
      const { count, isEstimated } = counted.get(lexeme) ?? { count: 0, isEstimated: false }
      this.#counts.set(lexeme, count)
      this.isEstimated ||= isEstimated
    }
  }

  async #findBegun(prefix: string): Promise<void> {
    const starts = PARTITIONS.map((partition) => lexemeOf({ partition, term: prefix }))
    const wanted = { starts: starts.filter(fitsVector), least: 0, most: null }
    const none = { words: [], isEstimated: false }
    const { words, isEstimated } =
      wanted.starts.length === 0 ? none : await visibleWords(this.#replica, wanted, BEGUN_MAX * PARTITIONS.length)
    this.isEstimated ||= isEstimated
    for (const { lexeme, count } of words) (isEstimated ? this.#atMost : this.#counts).set(lexeme, count)
    for (const start of starts) {
      const begun = words.filter(({ lexeme }) => lexeme.startsWith(start))
      this.#begun.set(
        start,
        begun.map(({ lexeme }) => termOfLexeme(lexeme)),
      )
    }
  }

  async #findNear(key: string, question: NearQuestion): Promise<void> {
    const { near, counts, areCounted, isEstimated } = await findNearWords(this.#replica, question, this.#isWhole)
    this.isEstimated ||= isEstimated
    for (const { term } of near) {
      const lexeme = lexemeOf({ partition: question.partition, term })
      ;(areCounted ? this.#counts : this.#atMost).set(lexeme, counts.get(lexeme)!)
    }
    this.#near.set(key, near)
  }

  async #countComplete(queries: readonly string[]): Promise<void> {
    const counted = await countMatches(this.#replica, queries)
    for (const [i, { count, isEstimated }] of counted.entries()) {
      this.#complete.set(queries[i], count)
      this.isEstimated ||= isEstimated
    }
  }
}
