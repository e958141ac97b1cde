/** Guesses the language of a query from its words, and decides which of the words are function words. */
import { isGermanNoun, splitCompound } from './compounds.ts'
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

/**
 * The language that function words and umlauts show, which is seldom wrong, and the one that is likely when German nouns
 * count as well.
 */
export function languagesOf(chains: readonly QueryChain[]): { sure: QueryLanguage; likely: QueryLanguage } {
  const { german, english, hasNoun } = evidenceIn(chains)
  return { sure: winner(german, english), likely: winner(german + (hasNoun ? NOUN_EVIDENCE : 0), english) }
}

/** Whether a word of the query is written in this language alone. Umlauts do not say so: what is made up has them too. */
export function isToldBy(chains: readonly QueryChain[], language: QueryLanguage): boolean {
  return chains.some((chain) => isUnambiguous(chain, language))
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
 * Whether a word is a function word: `yes`; `no`; or `perhaps` for a word that the other language uses for something
 * ("pro", "mit"), in words that do not show which is meant.
 */
export type FunctionWord = 'yes' | 'no' | 'perhaps'

/**
 * For each chain of a query of this language, whether it is a function word. One of the other language counts if it is
 * unambiguous ("Internet of Things" in a German query). An ambiguous one counts if both languages have it ("in"), or if
 * the query is known to speak its language: by an unambiguous function word, or by the words beside it. So "iphone pro
 * hülle" keeps its "pro", and "Kosten pro Monat" does not.
 * @param isKnown whether the language was given rather than guessed
 */
export function functionWords(
  chains: readonly QueryChain[],
  language: QueryLanguage,
  isKnown: boolean,
): readonly FunctionWord[] {
  const isProse = isKnown || chains.some((chain) => isUnambiguous(chain, language))
  return chains.map((chain, i) => {
    const role = functionWord(chain, language)
    if (role !== 'perhaps') return role
    if (language === 'unknown') return 'perhaps'
    const beside = [chains[i - 1], chains[i + 1]].filter((each) => each !== undefined)
    return isProse || beside.every((each) => isIn(each, language)) ? 'yes' : 'perhaps'
  })
}

function functionWord(chain: QueryChain, language: QueryLanguage): FunctionWord {
  if (chain.words.length !== 1) return 'no'
  const { text } = chain.words[0]
  if (chain.afterApostrophe && CONTRACTIONS.has(text)) return 'yes'
  if (chain.capitals) return 'no'
  const german = GERMAN_FUNCTION_WORDS.has(text)
  const english = ENGLISH_FUNCTION_WORDS.has(text)
  if (!german && !english) return 'no'
  if (!AMBIGUOUS_WORDS.has(text) || (german && english)) return language === 'other' ? 'no' : 'yes'
  if (language === 'unknown') return 'perhaps'
  return (language === 'de' && german) || (language === 'en' && english) ? 'perhaps' : 'no'
}

function isUnambiguous(chain: QueryChain, language: QueryLanguage): boolean {
  if (chain.words.length !== 1) return false
  const { text } = chain.words[0]
  if (AMBIGUOUS_WORDS.has(text)) return false
  return (language === 'de' ? GERMAN_FUNCTION_WORDS : ENGLISH_FUNCTION_WORDS).has(text)
}

/** Whether a word is one of a language, as far as its letters and the list of German nouns tell. */
function isIn(chain: QueryChain, language: QueryLanguage): boolean {
  if (isUnambiguous(chain, language)) return true
  if (language !== 'de') return false
  const isNoun = ({ text }: { text: string }): boolean => isGermanNoun(text) || splitCompound(text).length > 0
  return GERMAN_LETTER.test(chain.raw.normalize('NFC')) || chain.words.some(isNoun)
}
