import { fold } from './folding.ts'
import { AMBIGUOUS_WORDS, ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'

/** `other` is a text in neither language; `unknown` is a text too short or too mixed to tell. */
export type TextLanguage = 'de' | 'en' | 'other' | 'unknown'

const WORD = /[\p{L}\p{M}]+/gu
/** Code, addresses, templates and tags contain no words of a language. */
const NO_PROSE =
  /^(?<fence>`{3,}|~{3,})[\s\S]*?^\k<fence>|`[^`\n]*`|\{\{[\s\S]*?\}\}|<[^>\n]*>|https?:\/\/\S+|(?<!\S)\S*[/_\\]\S*/gm
/** With fewer words the language stays unknown. */
const WORDS_MIN = 30
/** A third or more of running text are function words; headings, names and terms lower the share. */
const SHARE_MIN = 0.12
/** How many times stronger the better evidence must be: Dutch, for example, has function words of both languages. */
const ADVANTAGE = 2
/** A longer text with a lower share of function words is in neither language. */
const FOREIGN_SHARE_MAX = 0.08
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

/** A short text is surely in a language with this many function words of it, */
const SHORT_WORDS_MIN = 3
/** and with this share of them. */
const SHORT_SHARE_MIN = 0.25

/** The language that a text is surely in, also a short one; null when it does not tell. */
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

/** The language that a short text leans to by its few function words; `unknown` when they do not decide. */
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
