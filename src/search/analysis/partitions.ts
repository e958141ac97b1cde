/**
 * Turns words into terms. A document is analysed in its own language, so the same word can have different stems in
 * German and English. A query is analysed once per partition: each of its concepts has a term in each partition.
 */
import { stemmer as stemEnglish } from '@orama/stemmers/english'
import { stemGerman } from './german-stemmer.ts'

/** Groups of documents with the same analysis: German, English, and everything else (folded, not stemmed). */
export const PARTITIONS = ['de', 'en', 'other'] as const
export type Partition = (typeof PARTITIONS)[number]

/** Returns the partition of a language code, whatever its region ("de-AT", "en_US"). */
export function partitionOf(language: string): Partition {
  const primary = language.slice(0, 3).toLowerCase()
  if (primary === 'de' || primary === 'de-' || primary === 'de_' || primary === 'deu' || primary === 'ger') return 'de'
  if (primary === 'en' || primary === 'en-' || primary === 'en_' || primary === 'eng') return 'en'
  return 'other'
}

const LETTERS = /^[a-z]+$/

/**
 * Returns the term of a folded word in a partition. Words with digits are names and are not stemmed.
 *
 * @example
 * ```ts
 * const [german, english, other] = PARTITIONS.map((partition) => termOf(partition, 'haeuser'))
 * // The German stem is that of "Haus"; other languages keep the word as it is.
 * console.log(german === termOf('de', 'haus'), english, other === 'haeuser')
 * ```
 */
export function termOf(partition: Partition, word: string): string {
  if (partition === 'other' || word.length < 3 || !LETTERS.test(word)) return word
  return partition === 'de' ? stemGerman(word) : stemEnglish(word)
}
