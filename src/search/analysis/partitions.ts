/**
 * How text becomes terms. A document is analysed in its own language, so the same word may have
 * another stem in German than in English; a query is analysed once per partition, and what it asks
 * for is a list of concepts that are found under a different term in each.
 */
import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemGerman } from './german-stemmer.ts'

/** Documents analysed alike: German, English, and everything else (folded, not stemmed). */
export const PARTITIONS = ['de', 'en', 'other'] as const
export type Partition = (typeof PARTITIONS)[number]

/** The partition of a language code; regions do not matter ("de-AT", "en_US"). */
export function partitionOf(language: string): Partition {
  const primary = language.slice(0, 3).toLowerCase()
  if (primary === 'de' || primary === 'de-' || primary === 'de_' || primary === 'deu' || primary === 'ger') return 'de'
  if (primary === 'en' || primary === 'en-' || primary === 'en_' || primary === 'eng') return 'en'
  return 'other'
}

const LETTERS = /^[a-z]+$/

/** The term of a folded word in a partition. Only plain words have stems; what carries digits is a name. */
export function termOf(partition: Partition, word: string): string {
  if (partition === 'other' || word.length < 3 || !LETTERS.test(word)) return word
  return partition === 'de' ? stemGerman(word) : stemEnglish(word)
}
