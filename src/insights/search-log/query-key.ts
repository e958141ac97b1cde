import { partitionOf, termOf } from '../../search/analysis/partitions.ts'
import { fold } from '../../search/analysis/folding.ts'

/** Code points of the longest key, which fits into the index pages of both databases. */
const KEY_CHARACTERS_MAX = 200
/** Splits words, and letters from digits within a word. Search treats "32GB" and "32 GB" alike, too. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+|(?<=\p{N})(?=\p{L})|(?<=[\p{L}\p{M}])(?=\p{N})/u

/**
 * Returns the key that groups spellings of a query: the stems of its words in order, without case, accents and
 * punctuation, at most 200 characters. The order counts, since "Akku ohne Ladegerät" is not "Ladegerät ohne Akku". A
 * query without words is its own key.
 * @param language of the tenant, which chooses the stemmer: a single word does not show its language
 * @returns null when nothing but white space is left
 */
export function queryKeyOf(query: string, language: string): string | null {
  const partition = partitionOf(language)
  const words = fold(query).split(BETWEEN_WORDS)
  const stems = words.filter((word) => word !== '').map((word) => termOf(partition, word))
  const key = stems.length === 0 ? query.trim() : stems.join(' ')
  return key === '' ? null : cut(key)
}

function cut(key: string): string {
  return key.length <= KEY_CHARACTERS_MAX ? key : Array.from(key).slice(0, KEY_CHARACTERS_MAX).join('').trimEnd()
}
