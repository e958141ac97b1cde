/** Guesses the language of a query from its words, and decides which of the words are function words. */
import { isGermanNoun } from './compounds.ts'
import { AMBIGUOUS_WORDS, CONTRACTIONS, ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'
import type { Partition } from './partitions.ts'
import type { QueryChain } from './query.ts'

/** `unknown` when the evidence for German and English is equal. */
export type QueryLanguage = Partition | 'unknown'

const GERMAN_LETTER = /[äöüß]/i
const FUNCTION_WORD_EVIDENCE = 2
const LETTER_EVIDENCE = 2
const NOUN_EVIDENCE = 1

interface Evidence {
  readonly german: number
  readonly english: number
  /** English shares many nouns with German, so a noun only tips the balance. */
  readonly hasNoun: boolean
}

/** Counts the function words of each language; umlauts and German nouns count for German. */
export function queryLanguage(chains: readonly QueryChain[]): QueryLanguage {
  const { german, english, hasNoun } = evidenceIn(chains)
  return winner(german + (hasNoun ? NOUN_EVIDENCE : 0), english)
}

/** Like `queryLanguage` without nouns: what remains is seldom wrong. */
export function sureLanguage(chains: readonly QueryChain[]): QueryLanguage {
  const { german, english } = evidenceIn(chains)
  return winner(german, english)
}

function winner(german: number, english: number): QueryLanguage {
  if (german === english) return 'unknown'
  return german > english ? 'de' : 'en'
}

function evidenceIn(chains: readonly QueryChain[]): Evidence {
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
  return { german, english, hasNoun }
}

/**
 * Whether a chain is a function word in a query of this language. A function word of the other language counts if it is
 * unambiguous ("Internet of Things" in a German query). In a query of unknown language an ambiguous word counts only if
 * both languages have it ("in").
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
