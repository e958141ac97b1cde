/**
 * The kinds of characters that the tokeniser tells apart. The kinds of the basic plane are cached in a table of bytes,
 * so the hot path runs no regular expression.
 */

/** Ends a word: white space, punctuation, symbols, controls, lone surrogates. */
export const SEPARATOR = 0
/** Part of a word: letters, digits, marks, and invisible characters inside words. */
export const WORD = 1
/** Ties two words into one written form: hyphens, full stop, underscore. */
export const CONNECTOR = 2
/** A script written without spaces, indexed by pairs of neighbours. */
export const UNSPACED = 3
/** Half of a surrogate pair: the code point decides. */
const SURROGATE = 4
/** Not looked up yet. */
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

/** The kind of the character that starts at UTF-16 offset `at`; `SEPARATOR` past the end. */
export function kindAt(text: string, at: number): number {
  if (at >= text.length) return SEPARATOR
  const code = text.charCodeAt(at)
  const kind = TABLE[code]
  if (kind < SURROGATE) return kind
  if (kind === UNKNOWN) return (TABLE[code] = kindOf(String.fromCharCode(code)))
  const point = text.codePointAt(at) ?? 0
  return point > 0xffff ? kindOf(String.fromCodePoint(point)) : SEPARATOR
}

/** UTF-16 units of the character at `at`: 2 for a surrogate pair, else 1. */
export function widthAt(text: string, at: number): number {
  const high = text.charCodeAt(at)
  if (high < 0xd800 || high > 0xdbff) return 1
  const low = text.charCodeAt(at + 1)
  return low >= 0xdc00 && low <= 0xdfff ? 2 : 1
}

/** Whether a UTF-16 unit is an ASCII digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}
