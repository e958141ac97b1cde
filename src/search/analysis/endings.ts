import { type Partition, termOf } from './partitions.ts'

/** Common German endings that stemming removes. */
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
/** Common English endings that stemming removes; each also with a plural s. */
const ENGLISH = ['ation', 'ization', 'isation', 'ing', 'ment', 'ness', 'able', 'ance', 'ence', 'ity', 'ically', 'er']

/**
 * Letters that may be missing from a word that is being typed: each end of each ending, such as "ungen", "ngen" and
 * "en".
 */
const RESTS: Readonly<Record<Partition, readonly string[]>> = {
  de: restsOf(GERMAN),
  en: restsOf([...ENGLISH, ...ENGLISH.map((ending) => `${ending}s`)]),
  other: [],
}

function restsOf(endings: readonly string[]): readonly string[] {
  return [...new Set(endings.flatMap((ending) => Array.from(ending, (_, i) => ending.slice(i))))]
}

/** Least characters of a word with further terms. Shorter words are their own stems, or nearly. */
const LENGTH_MIN = 5
/** Most characters of a word with further terms. */
const LENGTH_MAX = 40

/**
 * Returns the terms of the words that an unfinished word may become, as far as they are shorter than the unfinished
 * word. Such terms exist because stemming removes "ation" from "installation": no term begins with "installat".
 * @param word the unfinished word, folded
 */
export function termsWithin(partition: Partition, word: string): readonly string[] {
  if (word.length < LENGTH_MIN || word.length > LENGTH_MAX) return []
  const terms = new Set(RESTS[partition].map((rest) => termOf(partition, word + rest)))
  return [...terms].filter((term) => term.length < word.length && term.length >= LENGTH_MIN - 1)
}
