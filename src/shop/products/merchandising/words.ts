import { fold } from '../../../search/analysis/folding.ts'
import { type Partition, PARTITIONS, termOf } from '../../../search/analysis/partitions.ts'

/** Splits words, and letters from digits within a word, like search: "32GB" and "32 GB" are the same. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+|(?<=\p{N})(?=\p{L})|(?<=[\p{L}\p{M}])(?=\p{N})/u

/** A word with the terms by which search knows it. */
export interface KnownWord {
  /** Folded. */
  readonly text: string
  readonly terms: Readonly<Record<Partition, string>>
}

/** The words of a text, in order. */
export function wordsOf(text: string): KnownWord[] {
  const words = fold(text).split(BETWEEN_WORDS)
  return words.flatMap((word) =>
    word === '' ? [] : [{ text: word, terms: { de: termOf('de', word), en: termOf('en', word), other: word } }],
  )
}

/** Whether two words have the same stem in one of the languages. */
export function isSameWord(one: KnownWord, other: KnownWord): boolean {
  return PARTITIONS.some((partition) => one.terms[partition] === other.terms[partition])
}

/** Where the words of a phrase stand next to each other in a query; -1 if they do not. */
export function placeOfPhrase(query: readonly KnownWord[], phrase: readonly KnownWord[]): number {
  if (phrase.length === 0) return -1
  return query.findIndex((_, at) => phrase.every((word, i) => at + i < query.length && isSameWord(query[at + i], word)))
}
