import { fold } from '../analysis/folding.ts'
import { termOf } from '../analysis/partitions.ts'
import type { Correction } from '../engine.ts'

/**
 * Returns a function that tells whether a name has all typed words. A name has a typed word that begins one of its
 * words, or that is mistyped for one of them.
 * @param typedWords the typed words, folded; if there are none, no name has them
 * @returns a function of a name's folded words
 */
export function nameMatcher(
  typedWords: readonly string[],
  corrections: readonly Correction[],
): (words: readonly string[]) => boolean {
  const nearest = typedWords.map((typed) => corrections.find((each) => fold(each.typed) === typed)?.nearest ?? [])
  const isCorrectionOf = (word: string, place: number): boolean =>
    nearest[place].some(
      ({ term, partitions }) => term[0] === word[0] && partitions.some((each) => termOf(each, word) === term),
    )
  return (words) =>
    typedWords.length > 0 &&
    typedWords.every((typed, i) => words.some((word) => word.startsWith(typed) || isCorrectionOf(word, i)))
}
