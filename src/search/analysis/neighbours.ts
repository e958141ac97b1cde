/**
 * Joins a number and a short word beside it, because people write both apart or as one word: "32 GB" and "32GB",
 * "Cat 6" and "Cat6", "TN 3280" and "TN-3280". The words and signs of a unit become one: "18 Volt" is "18v", and 24" is
 * "24inch".
 */
import { isDigit } from './characters.ts'
import { fold } from './folding.ts'
import { ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'
import { measureOf, UNIT_LENGTH_MAX } from './units.ts'

const NUMBER = /^[0-9]+(?:[.,][0-9]+)?$/
const SHORT_WORD = /^\p{L}{1,4}$/u
const NUMBER_LENGTH_MAX = 8

/** A joined spelling of two neighbouring chains. */
interface Joined {
  readonly text: string
  /** Whether the chains are a number and its unit of measure. */
  readonly isMeasure: boolean
}

/**
 * Returns the joined spelling of two neighbouring chains; null unless one is a number and the other a unit or a short
 * word.
 */
export function joinedNeighbours(left: string, right: string): Joined | null {
  if (isNumber(left)) {
    const number = left.replace(',', '.')
    const measure = right.length > UNIT_LENGTH_MAX ? null : measureOf(number, fold(right))
    if (measure !== null) return { text: measure, isMeasure: true }
    return isShortWord(right) ? { text: number + fold(right), isMeasure: false } : null
  }
  return isNumber(right) && isShortWord(left) ? { text: fold(left) + right.replace(',', '.'), isMeasure: false } : null
}

/** Returns the measure of a number that an inch sign follows at offset `end` of the text; null for other chains. */
export function inchesOf(text: string, chain: string, end: number): string | null {
  const code = text.charCodeAt(end)
  if (code !== 0x22 && code !== 0x2033 && code !== 0x201d) return null
  return isNumber(chain) ? measureOf(chain.replace(',', '.'), 'inch') : null
}

/**
 * Tells whether a chain is a short word that can belong to a number. A function word cannot ("with 2 or more ports"); a
 * single letter can ("A 4").
 */
function isShortWord(chain: string): boolean {
  if (!SHORT_WORD.test(chain)) return false
  const word = fold(chain)
  return word.length === 1 || !(GERMAN_FUNCTION_WORDS.has(word) || ENGLISH_FUNCTION_WORDS.has(word))
}

function isNumber(chain: string): boolean {
  return chain.length <= NUMBER_LENGTH_MAX && NUMBER.test(chain)
}

/**
 * Tells whether two chains may join: only a space lies between them, and exactly one starts with a digit. This check is
 * cheap, because it does not read the chains.
 */
export function mayJoin(text: string, leftStart: number, leftEnd: number, rightStart: number): boolean {
  return (
    isDigit(text.charCodeAt(leftStart)) !== isDigit(text.charCodeAt(rightStart)) && isNext(text, leftEnd, rightStart)
  )
}

/** Tells whether exactly one space lies between two chains. */
export function isNext(text: string, leftEnd: number, rightStart: number): boolean {
  if (rightStart - leftEnd !== 1) return false
  const between = text.charCodeAt(leftEnd)
  return between === 0x20 || between === 0xa0 || between === 0x202f
}
