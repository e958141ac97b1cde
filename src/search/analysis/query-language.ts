/** Guesses the language of a query from its words, and decides which of these words are function words. */
import { isGermanNoun, splitCompound } from './compounds.ts'
import { AMBIGUOUS_WORDS, CONTRACTIONS, ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'
import type { Partition } from './partitions.ts'
import type { QueryChain } from './query.ts'

/** The language of a query; `unknown` when the evidence for German and English is equal. */
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
 * Returns two guesses of a query's language: `sure` from function words and umlauts alone, which is seldom wrong, and
 * `likely`, for which German nouns count as well.
 */
export function languagesOf(chains: readonly QueryChain[]): { sure: QueryLanguage; likely: QueryLanguage } {
  const { german, english, hasNoun } = evidenceIn(chains)
  return { sure: winner(german, english), likely: winner(german + (hasNoun ? NOUN_EVIDENCE : 0), english) }
}

/**
 * Tells whether the query has a function word of this language alone. Then it is written in the language. Umlauts do
 * not prove that, because made-up names have them too.
 */
export function hasFunctionWordOf(chains: readonly QueryChain[], language: QueryLanguage): boolean {
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
 * The answer to whether a word is a function word: `yes`; `no`; or `perhaps` for a word that is an ordinary word in the
 * other language ("pro", "mit"), in a query that does not show which of both it is.
 */
export type FunctionWord = 'yes' | 'no' | 'perhaps'

/**
 * Decides for each chain of a query whether it is a function word. A function word of the other language counts if it
 * is unambiguous ("Internet of Things" in a German query). An ambiguous one counts if it is a function word in both
 * languages ("in"), or if the query shows that it is in the word's language: by an unambiguous function word, or by the
 * words beside the ambiguous one. So "iphone pro hülle" keeps its "pro", and "Kosten pro Monat" does not.
 * @param language language of the query
 * @param isCertain whether the caller knows the language, rather than having guessed it
 */
export function functionWords(
  chains: readonly QueryChain[],
  language: QueryLanguage,
  isCertain: boolean,
): readonly FunctionWord[] {
  const isProse = isCertain || chains.some((chain) => isUnambiguous(chain, language))
  return chains.map((chain, i) => {
    const role = functionWord(chain, language)
    if (role !== 'perhaps') return role
    if (language === 'unknown') return 'perhaps'
    const beside = [chains[i - 1], chains[i + 1]].filter((each) => each !== undefined)
    return isProse || beside.every((each) => isIn(each, language)) ? 'yes' : 'perhaps'
  })
}

/** Judges a chain by itself, without the chains beside it. */
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

/** Tells whether a chain is a function word of this language, and no word of the other one. */
function isUnambiguous(chain: QueryChain, language: QueryLanguage): boolean {
  if (chain.words.length !== 1) return false
  const { text } = chain.words[0]
  if (AMBIGUOUS_WORDS.has(text)) return false
  return (language === 'de' ? GERMAN_FUNCTION_WORDS : ENGLISH_FUNCTION_WORDS).has(text)
}

/** Tells whether a chain is in a language, as far as function words, umlauts and the list of German nouns show. */
function isIn(chain: QueryChain, language: QueryLanguage): boolean {
  if (isUnambiguous(chain, language)) return true
  if (language !== 'de') return false
  const isNoun = ({ text }: { text: string }): boolean => isGermanNoun(text) || splitCompound(text).length > 0
  return GERMAN_LETTER.test(chain.raw.normalize('NFC')) || chain.words.some(isNoun)
}
