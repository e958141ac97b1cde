/** Control characters, line ends that are none of ours, and marks that turn the direction of what follows. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/**
 * Text from outside, such as the name of a file, as it may stand on a terminal or in a line of a log: what would
 * move the cursor, colour, hide or forge lines is written as its code.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
