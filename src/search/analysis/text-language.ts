import { fold } from './folding.ts'
import { AMBIGUOUS_WORDS, ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'

/** `other` for a text in neither of the two, `unknown` for one that is too short or too mixed to tell. */
export type TextLanguage = 'de' | 'en' | 'other' | 'unknown'

const WORD = /[\p{L}\p{M}]+/gu
/** Code, addresses and what is set in braces or pointed brackets has words of no language. */
const NO_PROSE =
  /^(?<fence>`{3,}|~{3,})[\s\S]*?^\k<fence>|`[^`\n]*`|\{\{[\s\S]*?\}\}|<[^>\n]*>|https?:\/\/\S+|(?<!\S)\S*[/_\\]\S*/gm
/** Words below which nothing is said. */
const WORDS_MIN = 30
/** Of running text a third or more are function words; headings, names and terms dilute them. */
const SHARE_MIN = 0.12
/** How much better the evidence for one language has to be: Dutch, say, has function words of both. */
const ADVANTAGE = 2
/** Below this share of function words of either a longer text is in neither. */
const FOREIGN_SHARE_MAX = 0.08
const FOREIGN_WORDS_MIN = 60

interface Evidence {
  readonly german: number
  readonly english: number
  readonly words: number
}

/** Tells German from English prose, and both from anything else, by the share of their function words. */
export function languageOfText(text: string): TextLanguage {
  const { german, english, words } = evidenceIn(text)
  if (words < WORDS_MIN) return 'unknown'
  const [most, least] = german > english ? [german, english] : [english, german]
  if (most >= SHARE_MIN * words && most >= ADVANTAGE * least) return german > english ? 'de' : 'en'
  const isForeign = words >= FOREIGN_WORDS_MIN && most < FOREIGN_SHARE_MAX * words
  return isForeign ? 'other' : 'unknown'
}

/** Which of the two the function words of a short text speak for, however few they are; `unknown` where none does. */
export function leaningOfText(text: string): Exclude<TextLanguage, 'other'> {
  const { german, english, words } = evidenceIn(text)
  if (words >= FOREIGN_WORDS_MIN || german === english) return 'unknown'
  return german > english ? 'de' : 'en'
}

function evidenceIn(text: string): Evidence {
  let german = 0
  let english = 0
  let words = 0
  for (const [word] of text.replace(NO_PROSE, ' ').matchAll(WORD)) {
    words++
    const folded = fold(word)
    if (AMBIGUOUS_WORDS.has(folded)) continue
    if (GERMAN_FUNCTION_WORDS.has(folded)) german++
    else if (ENGLISH_FUNCTION_WORDS.has(folded)) english++
  }
  return { german, english, words }
}
