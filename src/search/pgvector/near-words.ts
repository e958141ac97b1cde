/** The words near a mistyped one that visible documents of a replica may have. */
import type { Partition } from '../analysis/analysis.ts'
import { type NearTerm, nearTerms } from '../memory/columns/sorted-terms.ts'
import { lexemeOf, termOfLexeme } from './lexemes.ts'
import { type VisibleReplica, visibleWords, wordsOfLength } from './words-store.ts'

/** So many near words are counted one by one. Of more, those that no visible document has are left out at once. */
const COUNTED_MAX = 64

/** A mistyped word, as `Vocabulary.near` is asked for it. */
export interface NearQuestion {
  readonly partition: Partition
  readonly word: string
  readonly limit: number
  readonly areBegun: boolean
}

interface NearWords {
  readonly near: readonly NearTerm[]
  /** By lexeme, how many visible documents have a near word: either exactly, or what to assume until it is counted. */
  readonly counts: ReadonlyMap<string, number>
  readonly areCounted: boolean
  /** Whether a near word may be missing. */
  readonly isEstimated: boolean
}

/** @param isWhole whether every document is visible */
export async function findNearWords(
  replica: VisibleReplica,
  { partition, word, limit, areBegun }: NearQuestion,
  isWhole: boolean,
): Promise<NearWords> {
  const length = word.length + 1
  const wanted = {
    starts: [lexemeOf({ partition, term: word[0] })],
    least: length - limit,
    most: areBegun ? null : length + limit,
  }
  const nearOf = (lexemes: Iterable<string>): NearTerm[] => [
    ...nearTerms(Array.from(lexemes, termOfLexeme).sort(), word, limit, areBegun),
  ]
  const { words, areAll } = await wordsOfLength(replica, wanted)
  const documents = new Map(words.map((each) => [each.lexeme, each.documents]))
  const near = nearOf(documents.keys())
  if (isWhole || (areAll && near.length <= COUNTED_MAX)) {
    return { near, counts: documents, areCounted: isWhole, isEstimated: !areAll }
  }
  const seen = await visibleWords(replica, wanted)
  const counts = new Map(seen.words.map(({ lexeme, count }) => [lexeme, count]))
  if (!seen.isEstimated) return { near: nearOf(counts.keys()), counts, areCounted: true, isEstimated: false }
  const countIn = (by: ReadonlyMap<string, number>, term: string): number => by.get(lexemeOf({ partition, term })) ?? 0
  const best = (by: ReadonlyMap<string, number>): NearTerm[] =>
    nearOf(by.keys())
      .sort((a, b) => a.edits - b.edits || countIn(by, b.term) - countIn(by, a.term))
      .slice(0, COUNTED_MAX)
  // The sample lacks words that few documents have, so the others are asked for, too.
  const unseen = new Map([...documents].filter(([lexeme]) => !counts.has(lexeme)))
  return {
    near: [...best(counts), ...best(unseen)],
    counts: new Map([...unseen, ...counts]),
    areCounted: false,
    isEstimated: true,
  }
}
