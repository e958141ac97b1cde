/** Tells when a query is the title of an entry: the same words, apart from case, spaces, hyphens and the plural. */
import { fold } from './folding.ts'
import { withoutGermanPlural } from './german-stemmer.ts'
import { type Partition, PARTITIONS } from './partitions.ts'

const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}+#]*/gu
const DIGIT_END = /\p{N}$/u
const DIGIT_START = /^\p{N}/u

/** The key of a title in a document of a partition; empty if the title has no letter or digit. */
export function titleKey(title: string, partition: Partition): string {
  return singular(joinedWords(title), partition)
}

/** The keys of the titles that a query may be, in any language; none if it has no letter or digit. */
export function titleKeysOf(query: string): string[] {
  const joined = joinedWords(query)
  const keys = PARTITIONS.map((partition) => singular(joined, partition))
  return [...new Set(keys)].filter((key) => key !== '')
}

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

/** Singular and plural become one: "policies" and "policy" as "policy", "cookie" as "cooky", "classes" as "class". */
function englishSingular(word: string): string {
  const single = word.length > 3 && /[^siu]s$/.test(word) ? word.slice(0, -1) : word
  if (single.length > 3 && single.endsWith('ie')) return `${single.slice(0, -2)}y`
  return /(?:ss|[xz]|[cs]h)e$/.test(single) ? single.slice(0, -1) : single
}
