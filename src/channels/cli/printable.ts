/** Control characters, line separators, and marks that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Makes text from outside, such as a file name, safe for a terminal or a line of a log. Characters that could move the
 * cursor, colour or hide text, or forge lines are written as their codes.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
