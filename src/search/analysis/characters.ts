/**
 * Tells the kinds of characters that the tokeniser distinguishes. The kinds of the basic plane are cached in a table of
 * bytes, so that the hot path runs no regular expression.
 */

/** Kind of a character that ends a word: white space, punctuation, symbols, controls, lone surrogates. */
export const SEPARATOR = 0
/** Kind of a part of a word: letters, digits, marks, and invisible characters inside words. */
export const WORD = 1
/** Kind of a character that ties two words into one chain: hyphens, full stop, underscore. */
export const CONNECTOR = 2
/** Kind of a character of a script without spaces. Such a script is indexed by pairs of neighbours. */
export const UNSPACED = 3
/** Kind of half a surrogate pair in the table: the code point decides its real kind. */
const SURROGATE = 4
/** Kind of a character in the table that was not looked up yet. */
const UNKNOWN = 5

const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc\uff70]/u
const LETTER_OR_DIGIT = /[\p{L}\p{N}\p{M}]/u
// Soft hyphen, joiners and the byte order mark are invisible inside words.
const INVISIBLE = '\u00ad\u200c\u200d\u2060\ufeff'
const CONNECTORS = '-_.\u2010\u2011'

const TABLE = new Uint8Array(0x10000).fill(UNKNOWN).fill(SURROGATE, 0xd800, 0xe000)

function kindOf(character: string): number {
  if (CONNECTORS.includes(character)) return CONNECTOR
  if (INVISIBLE.includes(character)) return WORD
  if (!LETTER_OR_DIGIT.test(character)) return SEPARATOR
  return UNSPACED_SCRIPT.test(character) ? UNSPACED : WORD
}

/** Returns the kind of the character that starts at UTF-16 offset `at`; `SEPARATOR` past the end. */
export function kindAt(text: string, at: number): number {
  if (at >= text.length) return SEPARATOR
  const code = text.charCodeAt(at)
  const kind = TABLE[code]
  if (kind < SURROGATE) return kind
  if (kind === UNKNOWN) return (TABLE[code] = kindOf(String.fromCharCode(code)))
  const point = text.codePointAt(at) ?? 0
  return point > 0xffff ? kindOf(String.fromCodePoint(point)) : SEPARATOR
}

/** Returns the UTF-16 units of the character at `at`: 2 for a surrogate pair, else 1. */
export function widthAt(text: string, at: number): number {
  const high = text.charCodeAt(at)
  if (high < 0xd800 || high > 0xdbff) return 1
  const low = text.charCodeAt(at + 1)
  return low >= 0xdc00 && low <= 0xdfff ? 2 : 1
}

/** Tells whether a UTF-16 unit is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
