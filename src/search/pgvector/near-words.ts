/** Finds the words near a mistyped one that visible documents of a replica may have. */
import type { Partition } from '../analysis/analysis.ts'
import { type NearTerm, nearTerms } from '../memory/columns/sorted-terms.ts'
import { lexemeOf, termOfLexeme } from './lexemes.ts'
import { storedWordsOfLength, type VisibleReplica, visibleWords } from './words-store.ts'

/**
 * Most near words that are counted one by one. Of more, one statement leaves out those that no visible document has.
 */
const COUNTED_MAX = 64

/** A question for the terms near a mistyped word; see `Vocabulary.near`. */
export interface NearQuestion {
  readonly partition: Partition
  readonly word: string
  readonly limit: number
  readonly areBegun: boolean
}

interface NearWords {
  readonly near: readonly NearTerm[]
  /** By lexeme of a near word, the number of visible documents with it, or the number to assume until it is counted. */
  readonly counts: ReadonlyMap<string, number>
  /** Whether the counts are exact. */
  readonly areCounted: boolean
  /** Whether a near word may be missing. */
  readonly isEstimated: boolean
}

/** Returns the words near a mistyped one. @param isWhole whether every document is visible */
export async function findNearWords(
  replica: VisibleReplica,
  { partition, word, limit, areBegun }: NearQuestion,
  isWhole: boolean,
): Promise<NearWords> {
  const length = word.length + 1
  const pattern = {
    starts: [lexemeOf({ partition, term: word[0] })],
    least: length - limit,
    most: areBegun ? null : length + limit,
  }
  const nearOf = (lexemes: Iterable<string>): NearTerm[] => [
    ...nearTerms(Array.from(lexemes, termOfLexeme).sort(), word, limit, areBegun),
  ]
  const { words, areAll } = await storedWordsOfLength(replica, pattern)
  const documents = new Map(words.map((each) => [each.lexeme, each.documents]))
  const near = nearOf(documents.keys())
  if (isWhole || (areAll && near.length <= COUNTED_MAX)) {
    return { near, counts: documents, areCounted: isWhole, isEstimated: !areAll }
  }
  const visible = await visibleWords(replica, pattern)
  const counts = new Map(visible.words.map(({ lexeme, count }) => [lexeme, count]))
  if (!visible.isEstimated) return { near: nearOf(counts.keys()), counts, areCounted: true, isEstimated: false }
  const countIn = (by: ReadonlyMap<string, number>, term: string): number => by.get(lexemeOf({ partition, term })) ?? 0
  const best = (by: ReadonlyMap<string, number>): NearTerm[] =>
    nearOf(by.keys())
      .sort((a, b) => a.edits - b.edits || countIn(by, b.term) - countIn(by, a.term))
      .slice(0, COUNTED_MAX)
  // The sample lacks words that few documents have, so words of the table of terms are added.
  const others = new Map([...documents].filter(([lexeme]) => !counts.has(lexeme)))
  return {
    near: [...best(counts), ...best(others)],
    counts: new Map([...others, ...counts]),
    areCounted: false,
    isEstimated: true,
  }
}
