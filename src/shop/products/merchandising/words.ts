import { fold } from '../../../search/analysis/folding.ts'
import { type Partition, PARTITIONS, termOf } from '../../../search/analysis/partitions.ts'

/** Splits words, and letters from digits within a word, like search: "32GB" and "32 GB" are the same. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+|(?<=\p{N})(?=\p{L})|(?<=[\p{L}\p{M}])(?=\p{N})/u

/** Rules and synonyms look at this many words of a query; longer queries are no names of things. */
const QUERY_WORDS_MAX = 64

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

/** The words of a query that rules and synonyms look at. */
export function queryWordsOf(query: string): KnownWord[] {
  return wordsOf(query).slice(0, QUERY_WORDS_MAX)
}

/** The terms of a word, each with its language. */
export function keysOf({ terms }: KnownWord): string[] {
  return Object.entries(terms).map(([partition, term]) => `${partition} ${term}`)
}

/** Whether each word, by its keys, is among known keys. */
export function areAllKnown(words: readonly (readonly string[])[], known: ReadonlySet<string>): boolean {
  return words.every((keys) => keys.some((key) => known.has(key)))
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
