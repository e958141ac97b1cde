import { type Partition, termOf } from './partitions.ts'

/** Common endings that stemming takes off. */
const GERMAN = [
  'ung',
  'ungen',
  'heit',
  'heiten',
  'keit',
  'keiten',
  'lich',
  'lichen',
  'isch',
  'ischen',
  'ig',
  'igen',
  'ern',
]
const ENGLISH = ['ation', 'ization', 'isation', 'ing', 'ment', 'ness', 'able', 'ance', 'ence', 'ity', 'ically', 'er']

/** What may be missing from a word that is being typed: each end of each ending, such as "ungen", "ngen" and "en". */
const RESTS: Readonly<Record<Partition, readonly string[]>> = {
  de: restsOf(GERMAN),
  en: restsOf([...ENGLISH, ...ENGLISH.map((ending) => `${ending}s`)]),
  other: [],
}

function restsOf(endings: readonly string[]): readonly string[] {
  return [...new Set(endings.flatMap((ending) => Array.from(ending, (_, i) => ending.slice(i))))]
}

/** Shorter words are their own stems, or nearly. */
const LENGTH_MIN = 5
const LENGTH_MAX = 40

/**
 * The terms of the words that a folded word may become when it is typed on, as far as it is longer than these: stemming
 * takes "ation" off "installation", so no term begins with "installat".
 */
export function termsWithin(partition: Partition, word: string): readonly string[] {
  if (word.length < LENGTH_MIN || word.length > LENGTH_MAX) return []
  const terms = new Set(RESTS[partition].map((rest) => termOf(partition, word + rest)))
  return [...terms].filter((term) => term.length < word.length && term.length >= LENGTH_MIN - 1)
}
