import { fold } from './analysis/folding.ts'
import { PARTITIONS, termOf } from './analysis/partitions.ts'
import type { SearchHit } from './engine.ts'

const WORDS = /[\p{L}\p{N}\p{M}]+/gu

/**
 * What a query was probably meant to say: its words that no document has, in the spelling of a title that has the
 * nearest ones.
 * @param hits of the same query with corrections (`fuzzy`), explained, best first
 * @param titleOf the title of a hit, by its id
 * @returns null when no word was corrected, or no title shows how the right one is written
 */
export function didYouMean(
  query: string,
  hits: readonly SearchHit[],
  titleOf: (id: string) => string | undefined,
): string | null {
  const spellings = new Map<string, string>()
  for (const { id, explanation } of hits) {
    const words = titleOf(id)?.match(WORDS) ?? []
    for (const { term, typed } of explanation?.terms ?? []) {
      if (typed === undefined || spellings.has(fold(typed))) continue
      const spelling = words.find((word) => PARTITIONS.some((each) => termOf(each, fold(word)) === term))
      if (spelling !== undefined) spellings.set(fold(typed), spelling)
    }
  }
  if (spellings.size === 0) return null
  return query.replace(WORDS, (word) => spellings.get(fold(word)) ?? word)
}
