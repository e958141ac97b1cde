import { fold } from './folding.ts'
import { AMBIGUOUS_WORDS, ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'

/**
 * The language of a text. `other` is neither German nor English; `unknown` is a text too short or too mixed to tell.
 */
export type TextLanguage = 'de' | 'en' | 'other' | 'unknown'

const WORD = /[\p{L}\p{M}]+/gu
/** Parts of a text that have no words of a language: code, addresses, templates and tags. */
const NO_PROSE =
  /^(?<fence>`{3,}|~{3,})[\s\S]*?^\k<fence>|`[^`\n]*`|\{\{[\s\S]*?\}\}|<[^>\n]*>|https?:\/\/\S+|(?<!\S)\S*[/_\\]\S*/gm
/** Least words of a text whose language can be told. */
const WORDS_MIN = 30
/**
 * Least share of function words. In running text a third of the words or more are function words; headings, names and
 * terms lower the share.
 */
const SHARE_MIN = 0.12
/** How many times stronger the better evidence must be. Dutch, for example, has function words of both languages. */
const ADVANTAGE = 2
/** Share of function words below which a text is in neither language, if it has enough words. */
const FOREIGN_SHARE_MAX = 0.08
/** Least words of such a text. */
const FOREIGN_WORDS_MIN = 60

interface Evidence {
  readonly german: number
  readonly english: number
  readonly words: number
}

/** Tells German and English prose from each other and from other languages by the share of function words. */
export function languageOfText(text: string): TextLanguage {
  return judge(evidenceIn(text))
}

function judge({ german, english, words }: Evidence): TextLanguage {
  if (words < WORDS_MIN) return 'unknown'
  const [most, least] = german > english ? [german, english] : [english, german]
  if (most >= SHARE_MIN * words && most >= ADVANTAGE * least) return german > english ? 'de' : 'en'
  const isForeign = words >= FOREIGN_WORDS_MIN && most < FOREIGN_SHARE_MAX * words
  return isForeign ? 'other' : 'unknown'
}

/** Least function words by which a short text is surely in a language. */
const SHORT_WORDS_MIN = 3
/** Least share of function words, for the same. */
const SHORT_SHARE_MIN = 0.25

/** Returns the language that a text, short or long, is surely in; null when it does not tell. */
export function surelyIn(text: string): 'de' | 'en' | null {
  const evidence = evidenceIn(text)
  const { german, english, words } = evidence
  if (words >= WORDS_MIN) {
    const language = judge(evidence)
    return language === 'de' || language === 'en' ? language : null
  }
  const [most, least] = german > english ? [german, english] : [english, german]
  if (most < SHORT_WORDS_MIN || most < SHORT_SHARE_MIN * words || most <= ADVANTAGE * least) return null
  return german > english ? 'de' : 'en'
}

/** Returns the language to which the few function words of a short text lean; `unknown` when they do not decide. */
export function leaningOfText(text: string): Exclude<TextLanguage, 'other'> {
  const { german, english, words } = evidenceIn(text)
  if (words >= FOREIGN_WORDS_MIN || german === english) return 'unknown'
  return german > english ? 'de' : 'en'
}

function evidenceIn(text: string): Evidence {
  let german = 0
  let english = 0
  let words = 0
  for (const word of text.replace(NO_PROSE, ' ').match(WORD) ?? []) {
    words++
    const folded = fold(word)
    if (AMBIGUOUS_WORDS.has(folded)) continue
    if (GERMAN_FUNCTION_WORDS.has(folded)) german++
    else if (ENGLISH_FUNCTION_WORDS.has(folded)) english++
  }
  return { german, english, words }
}
