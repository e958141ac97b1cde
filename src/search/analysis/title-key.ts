/**
 * Makes keys of titles and queries. A query is the title of an entry if both have the same key: the same words, apart
 * from case, spaces, hyphens and the plural.
 */
import { fold } from './folding.ts'
import { withoutGermanPlural } from './german-stemmer.ts'
import { type Partition, PARTITIONS } from './partitions.ts'

const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}+#]*/gu
const DIGIT_END = /\p{N}$/u
const DIGIT_START = /^\p{N}/u

/** Returns the key of a title of a document in this partition; empty if the title has no letter or digit. */
export function titleKey(title: string, partition: Partition): string {
  return singular(joinedWords(title), partition)
}

/** Returns the keys of the titles that a query may be, in any language; none if the query has no letter or digit. */
export function titleKeysOf(query: string): string[] {
  const joined = joinedWords(query)
  const keys = PARTITIONS.map((partition) => singular(joined, partition))
  return [...new Set(keys)].filter((key) => key !== '')
}

/** Returns the folded words of a text as one word. A full stop stands between two numbers. */
function joinedWords(text: string): string {
  let joined = ''
  for (const word of fold(text).match(WORDS) ?? [])
    joined += DIGIT_END.test(joined) && DIGIT_START.test(word) ? `.${word}` : word
  return joined
}

function singular(joined: string, partition: Partition): string {
  if (partition === 'en') return englishSingular(joined)
  if (partition === 'other') return joined
  return withoutGermanPlural(joined)
}

/**
 * Returns one form for singular and plural: "policy" for "policies" too, "cooky" for "cookie", "class" for "classes".
 */
function englishSingular(word: string): string {
  const single = word.length > 3 && /[^siu]s$/.test(word) ? word.slice(0, -1) : word
  if (single.length > 3 && single.endsWith('ie')) return `${single.slice(0, -2)}y`
  return /(?:ss|[xz]|[cs]h)e$/.test(single) ? single.slice(0, -1) : single
}
