/** Tells when a query is the title of an entry: the same words, apart from case, spaces, hyphens and the plural. */
import { foldUnspaced } from './folding.ts'
import { withoutGermanInflection } from './german-stemmer.ts'
import { type Partition, PARTITIONS } from './partitions.ts'
import { eachChain } from './tokeniser.ts'
import { readChain } from './words.ts'

const DIGIT_END = /\p{N}$/u
const DIGIT_START = /^\p{N}/u
/** German words from English have an English plural upon a German ending: "Controllers". */
const GERMAN_ENDINGS = 2

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
  eachChain(text, (start, end, unspaced) => {
    const raw = text.slice(start, end)
    const words = unspaced ? [foldUnspaced(raw)] : readChain(raw).words.map((word) => word.text)
    for (const word of words) joined += DIGIT_END.test(joined) && DIGIT_START.test(word) ? `.${word}` : word
  })
  return joined
}

function singular(joined: string, partition: Partition): string {
  if (partition === 'en') return englishSingular(joined)
  if (partition === 'other') return joined
  let key = joined
  for (let i = 0; i < GERMAN_ENDINGS; i++) key = withoutGermanInflection(key)
  return key
}

/** Singular and plural become one: "policies" and "policy" as "policy", "cookie" as "cooky", "classes" as "class". */
function englishSingular(word: string): string {
  const single = word.length > 3 && /[^siu]s$/.test(word) ? word.slice(0, -1) : word
  if (single.length > 3 && single.endsWith('ie')) return `${single.slice(0, -2)}y`
  return /(?:ss|[xz]|[cs]h)e$/.test(single) ? single.slice(0, -1) : single
}
