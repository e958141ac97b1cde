/**
 * The view of a replica for the ranking, which reads a view at once and cannot wait for the database. For a number that
 * is not counted yet, the view answers an estimate, or 0 without one, and notes a question. `settle` answers the open
 * questions from PostgreSQL and runs the ranking again, until no question is open.
 */
import { type Partition, PARTITIONS } from '../analysis/analysis.ts'
import { PREFIX_WORDS_MAX } from '../ranking/expansion.ts'
import type { PartitionTerm, View } from '../memory/query/keyword.ts'
import type { NearTerm } from '../memory/columns/sorted-terms.ts'
import { fitsVector, lexemeOf, termOfLexeme, tsqueryOf } from './lexemes.ts'
import { findNearWords, type NearQuestion } from './near-words.ts'
import {
  countMatches,
  countStoredWords,
  countWords,
  type DocumentCount,
  storedWords,
  type Totals,
  type VisibleReplica,
  visibleWords,
  withinTime,
} from './words-store.ts'

/** Most rounds of questions that a search may have. */
const ROUNDS_MAX = 64
/** Milliseconds that a search may look for words that are not in its query. */
const EXPANSION_MAX_MS = 2_000
/**
 * Number of most frequent words with one beginning: those that a prefix stands for, and the typed word in each
 * partition.
 */
const BEGUN_MAX = PREFIX_WORDS_MAX + PARTITIONS.length

export class ReplicaView implements View {
  readonly total: number
  readonly lengthSum: number
  /** Whether a count comes from the sample, or words may be missing that the query stands for. */
  isEstimated: boolean
  readonly #replica: VisibleReplica
  readonly #totals: Totals
  /** Whether every document is visible, so that words need not be counted again. */
  readonly #isWhole: boolean
  /** By lexeme, an upper bound of its count, or an estimate without a bound. */
  readonly #atMost = new Map<string, number>()
  /** By lexeme, the number of visible documents with it. */
  readonly #counts = new Map<string, number>()
  /** By beginning as a lexeme, the terms that begin so. */
  readonly #begun = new Map<string, readonly string[]>()
  /** By question, the near terms. */
  readonly #near = new Map<string, readonly NearTerm[]>()
  /** By `tsquery`, the number of visible documents that match it. */
  readonly #complete = new Map<string, number>()
  /** Milliseconds left to look for words. Once they are 0, a word that is not counted has the count 0. */
  #leftMs: number
  /** The open questions. */
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
   * Counts the words of the query. The statements are the same for a word that only hidden documents have and for a
   * word that no document has, so their time tells next to nothing.
   */
  async expect(terms: readonly PartitionTerm[]): Promise<void> {
    const lexemes = [...new Set(terms.map(lexemeOf))]
    if (this.#isWhole) return this.#countWhole(lexemes)
    const fitting = lexemes.filter(fitsVector)
    const counted = fitting.length === 0 ? [] : await countWords(this.#replica, fitting)
    this.#note(lexemes, new Map(counted.map((each, i) => [fitting[i], each])))
  }

  /** Runs `work` until it asks no open question. @returns its last result */
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
    // An estimate from the sample may exceed the number of documents, which would give the word a negative idf.
    return Math.min(count ?? this.#assumed(lexeme), this.#totals.documents[partition])
  }

  readonly frequencyAtMost = (partition: Partition, term: string): number => {
    const lexeme = lexemeOf({ partition, term })
    const hasBound = this.#counts.has(lexeme) || this.#atMost.has(lexeme)
    if (!hasBound) this.#open.words.add(lexeme)
    return this.#counts.get(lexeme) ?? this.#assumed(lexeme)
  }

  readonly eachWithPrefix = (
    partition: Partition,
    prefix: string,
    visit: (term: string, count: number) => void,
  ): void => {
    const terms = this.#begun.get(lexemeOf({ partition, term: prefix }))
    if (terms === undefined) this.#open.prefixes.add(prefix)
    for (const term of terms ?? []) visit(term, this.frequencyAtMost(partition, term))
  }

  readonly near = (partition: Partition, word: string, limit: number, areBegun: boolean): Iterable<NearTerm> => {
    const key = JSON.stringify([partition, word, limit, areBegun])
    const terms = this.#near.get(key)
    if (terms === undefined) this.#open.near.set(key, { partition, word, limit, areBegun })
    return terms ?? []
  }

  /** Remembers nothing, since the view lives for one search. */
  readonly remembered = <T>(_key: string, make: () => T): T => make()

  readonly complete = (words: readonly (readonly PartitionTerm[])[]): number => {
    if (words.some((list) => list.length === 0)) return 0
    const query = tsqueryOf(words.map((list) => list.map(lexemeOf)))
    const count = this.#complete.get(query)
    if (count === undefined) this.#open.complete.add(query)
    return count ?? 0
  }

  /** Returns the count to assume for a word that is not counted. */
  #assumed(lexeme: string): number {
    return this.#leftMs === 0 ? 0 : (this.#atMost.get(lexeme) ?? 0)
  }

  /** Answers the open questions. @returns whether the work has to run again */
  async #answer(): Promise<boolean> {
    const { words, prefixes, near, complete } = this.#open
    const wasOver = this.#leftMs === 0
    const hasQuestions = words.size + prefixes.size + near.size > 0
    if (hasQuestions && wasOver) this.isEstimated = true
    else if (hasQuestions) await this.#lookForWords()
    if (complete.size > 0) await this.#countComplete([...complete])
    const mustRepeat = complete.size > 0 || (hasQuestions && !wasOver)
    for (const each of [words, prefixes, near, complete]) each.clear()
    return mustRepeat
  }

  /** Answers the questions about words, as many as there is time for. */
  async #lookForWords(): Promise<void> {
    const until = performance.now() + this.#leftMs
    const { words, prefixes, near } = this.#open
    const steps = [
      () => this.#countStored([...words]),
      ...Array.from(prefixes, (prefix) => () => this.#findBegun(prefix)),
      ...Array.from(
        near,
        ([key, question]) =>
          () =>
            this.#findNear(key, question),
      ),
    ]
    const stepsDone = await withinTime(this.#replica.queries, this.#leftMs, async () => {
      for (const [i, step] of steps.entries()) {
        if (performance.now() >= until) return i
        await step()
      }
      return steps.length
    })
    this.#leftMs = stepsDone === steps.length ? Math.max(0, until - performance.now()) : 0
  }

  /** Counts words, most of which no document has. */
  async #countStored(lexemes: readonly string[]): Promise<void> {
    if (this.#isWhole) return this.#countWhole(lexemes)
    if (lexemes.length > 0) this.#note(lexemes, await countStoredWords(this.#replica, lexemes.filter(fitsVector)))
  }

  /** Reads the counts of words from the table of terms, which are exact where every document is visible. */
  async #countWhole(lexemes: readonly string[]): Promise<void> {
    if (lexemes.length === 0) return
    const rows = await storedWords(this.#replica, lexemes)
    this.#note(
      lexemes,
      new Map(rows.map(({ lexeme, documents }) => [lexeme, { count: documents, isEstimated: false }])),
    )
  }

  /** Records the counts of words; 0 for a word that `counts` lacks. */
  #note(lexemes: readonly string[], counts: ReadonlyMap<string, DocumentCount>): void {
    for (const lexeme of lexemes) {
      const { count, isEstimated } = counts.get(lexeme) ?? { count: 0, isEstimated: false }
      this.#counts.set(lexeme, count)
      this.isEstimated ||= isEstimated
    }
  }

  async #findBegun(prefix: string): Promise<void> {
    const starts = PARTITIONS.map((partition) => lexemeOf({ partition, term: prefix }))
    const pattern = { starts: starts.filter(fitsVector), least: 0, most: null }
    const none = { words: [], isEstimated: false }
    const { words, isEstimated } =
      pattern.starts.length === 0 ? none : await visibleWords(this.#replica, pattern, BEGUN_MAX * PARTITIONS.length)
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
