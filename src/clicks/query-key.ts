import { fold } from '../search/analysis/folding.ts'

/** Code points of a key: a key of this length fits into the index pages of both databases. */
const KEY_CHARACTERS_MAX = 200
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+/gu

/**
 * What queries are grouped by: their words in their order, without case, accents and punctuation, cut after
 * 200 characters. A query without words is its own key.
 * @returns null when nothing but white space is left
 */
export function queryKeyOf(query: string): string | null {
  const words = fold(query).replace(BETWEEN_WORDS, ' ').trim()
  const key = words === '' ? query.trim() : words
  return key === '' ? null : cut(key)
}

function cut(key: string): string {
  return key.length <= KEY_CHARACTERS_MAX ? key : Array.from(key).slice(0, KEY_CHARACTERS_MAX).join('').trimEnd()
}
