/** Which language a query is in, as far as its words tell, and which of them only carry grammar. */
import { isGermanNoun } from './compounds.ts'
import { AMBIGUOUS_WORDS, CONTRACTIONS, ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'
import type { Partition } from './partitions.ts'
import type { QueryChain } from './query.ts'

/** `unknown` when neither German nor English has the better evidence. */
export type QueryLanguage = Partition | 'unknown'

const GERMAN_LETTER = /[äöüß]/i
const FUNCTION_WORD_EVIDENCE = 2
const LETTER_EVIDENCE = 2
const NOUN_EVIDENCE = 1

/** Counts the function words of each language; umlauts and German nouns speak for German. */
export function queryLanguage(chains: readonly QueryChain[]): QueryLanguage {
  let german = 0
  let english = 0
  let hasNoun = false
  for (const chain of chains) {
    if (GERMAN_LETTER.test(chain.raw.normalize('NFC'))) german += LETTER_EVIDENCE
    for (const { text } of chain.words) {
      if (AMBIGUOUS_WORDS.has(text)) continue
      if (GERMAN_FUNCTION_WORDS.has(text)) german += FUNCTION_WORD_EVIDENCE
      else if (ENGLISH_FUNCTION_WORDS.has(text)) english += FUNCTION_WORD_EVIDENCE
      else if (isGermanNoun(text)) hasNoun = true
    }
  }
  // English shares many nouns with German, so that they only tip the scales.
  if (hasNoun) german += NOUN_EVIDENCE
  if (german === english) return 'unknown'
  return german > english ? 'de' : 'en'
}

/**
 * Whether a chain is a function word in a query of this language. One of the other language counts where it
 * cannot be anything else ("Internet of Things" in a German query); an ambiguous one in no language counts
 * only if both have it ("in").
 */
export function isFunctionWord(chain: QueryChain, language: QueryLanguage): boolean {
  if (chain.words.length !== 1) return false
  const { text } = chain.words[0]
  if (chain.afterApostrophe && CONTRACTIONS.has(text)) return true
  if (chain.capitals) return false
  const german = GERMAN_FUNCTION_WORDS.has(text)
  const english = ENGLISH_FUNCTION_WORDS.has(text)
  if ((german || english) && (!AMBIGUOUS_WORDS.has(text) || (german && english))) return language !== 'other'
  return language === 'de' ? german : language === 'en' ? english : false
}
