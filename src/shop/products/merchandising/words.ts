import { fold } from '../../../search/analysis/folding.ts'
import { type Partition, PARTITIONS, termOf } from '../../../search/analysis/partitions.ts'

/** Boundary between words, and between letters and digits, as in search: "32GB" and "32 GB" are the same. */
const BETWEEN_WORDS = /[^\p{L}\p{N}\p{M}]+|(?<=\p{N})(?=\p{L})|(?<=[\p{L}\p{M}])(?=\p{N})/u

/** Words of a query that rules and synonyms read; longer queries are no names of things. */
const QUERY_WORDS_MAX = 64

/** Word with its stem in each language, by which search compares it. */
export interface StemmedWord {
  /** Folded form of the word; see `fold`. */
  readonly text: string
  readonly terms: Readonly<Record<Partition, string>>
}

/** Returns the words of a text, in order. */
export function wordsOf(text: string): StemmedWord[] {
  const words = fold(text).split(BETWEEN_WORDS)
  return words.flatMap((word) =>
    word === '' ? [] : [{ text: word, terms: { de: termOf('de', word), en: termOf('en', word), other: word } }],
  )
}

/** Returns the words of a query that rules and synonyms read. */
export function queryWordsOf(query: string): StemmedWord[] {
  return wordsOf(query).slice(0, QUERY_WORDS_MAX)
}

/** Returns the keys of a word: its stem in each language, after the name of the language. */
export function keysOf({ terms }: StemmedWord): string[] {
  return Object.entries(terms).map(([partition, term]) => `${partition} ${term}`)
}

/** Tells whether each word has one of the keys. @param words keys of each word */
export function areAllAmong(words: readonly (readonly string[])[], keys: ReadonlySet<string>): boolean {
  return words.every((wordKeys) => wordKeys.some((key) => keys.has(key)))
}

/** Tells whether two words have the same stem in one of the languages. */
export function isSameWord(one: StemmedWord, other: StemmedWord): boolean {
  return PARTITIONS.some((partition) => one.terms[partition] === other.terms[partition])
}

/** Returns the index in a query at which the words of a phrase stand next to each other; -1 if they do not. */
export function placeOfPhrase(query: readonly StemmedWord[], phrase: readonly StemmedWord[]): number {
  if (phrase.length === 0) return -1
  return query.findIndex((_, at) => phrase.every((word, i) => at + i < query.length && isSameWord(query[at + i], word)))
}
