import { type Partition, termOf } from './partitions.ts'

const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(97 + i))
/**
 * Folded words whose near spellings have stems of their own. Short words are left out: too many words are one edit
 * away.
 */
const STEMMED = /^[a-z]{5,24}$/

/**
 * Returns the terms of all words one edit away from a folded word. An edit leaves a letter out, puts one in, exchanges
 * one or swaps two neighbours, all behind the first letter. The terms of two words can be further apart than the words:
 * the stem of "antene" is "ant", and that of "Antenne" is "antenn". Empty for words that are not stemmed.
 */
export function termsOneEditAway(partition: Partition, word: string): ReadonlySet<string> {
  const terms = new Set<string>()
  if (partition === 'other' || !STEMMED.test(word)) return terms
  const add = (spelling: string): unknown => terms.add(termOf(partition, spelling))
  for (let at = 1; at <= word.length; at++) {
    const before = word.slice(0, at)
    const after = word.slice(at + 1)
    for (const letter of LETTERS) {
      add(before + letter + word.slice(at))
      if (at < word.length) add(before + letter + after)
    }
    if (at < word.length) add(before + after)
    if (at + 1 < word.length) add(before + word[at + 1] + word[at] + word.slice(at + 2))
  }
  terms.delete(termOf(partition, word))
  return terms
}
