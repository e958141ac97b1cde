/**
 * People write a number and a short word beside it apart or as one word: "32 GB" and "32GB", "Cat 6" and "Cat6", "TN
 * 3280" and "TN-3280".
 */
import { isDigit } from './characters.ts'
import { fold } from './folding.ts'
import { ENGLISH_FUNCTION_WORDS, GERMAN_FUNCTION_WORDS } from './function-words.ts'

const NUMBER = /^[0-9]+(?:\.[0-9]+)?$/
const SHORT_WORD = /^\p{L}{1,4}$/u
const NUMBER_LENGTH_MAX = 8

/** The joined spelling of two neighbouring chains; null unless one is a number and the other a short word. */
export function joinedNeighbours(left: string, right: string): string | null {
  if (isNumber(left)) return isUnit(right) ? left + fold(right) : null
  return isNumber(right) && isUnit(left) ? fold(left) + right : null
}

/** A function word names nothing ("with 2 or more ports"); a single letter does ("A 4"). */
function isUnit(chain: string): boolean {
  if (!SHORT_WORD.test(chain)) return false
  const word = fold(chain)
  return word.length === 1 || !(GERMAN_FUNCTION_WORDS.has(word) || ENGLISH_FUNCTION_WORDS.has(word))
}

function isNumber(chain: string): boolean {
  return chain.length <= NUMBER_LENGTH_MAX && NUMBER.test(chain)
}

/** A cheap check without reading the chains: only a space lies between them, and exactly one starts with a digit. */
export function mayJoin(text: string, leftStart: number, leftEnd: number, rightStart: number): boolean {
  return (
    isDigit(text.charCodeAt(leftStart)) !== isDigit(text.charCodeAt(rightStart)) && isNext(text, leftEnd, rightStart)
  )
}

/** Whether exactly one space lies between two chains. */
export function isNext(text: string, leftEnd: number, rightStart: number): boolean {
  if (rightStart - leftEnd !== 1) return false
  const between = text.charCodeAt(leftEnd)
  return between === 0x20 || between === 0xa0 || between === 0x202f
}
