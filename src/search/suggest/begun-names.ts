import { fold } from '../analysis/folding.ts'
import { termOf } from '../analysis/partitions.ts'
import type { Correction } from '../engine.ts'

/**
 * Tells which names have all typed words: each begins a word of the name, or is mistyped for one.
 * @param beginning the typed words, folded; without any, no name has them
 * @returns a function of a name's folded words
 */
export function begunBy(
  beginning: readonly string[],
  corrections: readonly Correction[],
): (words: readonly string[]) => boolean {
  const nearest = beginning.map((typed) => corrections.find((each) => fold(each.typed) === typed)?.nearest ?? [])
  const isMeant = (word: string, typed: number): boolean =>
    nearest[typed].some(
      ({ term, partitions }) => term[0] === word[0] && partitions.some((each) => termOf(each, word) === term),
    )
  return (words) =>
    beginning.length > 0 &&
    beginning.every((typed, i) => words.some((word) => word.startsWith(typed) || isMeant(word, i)))
}
