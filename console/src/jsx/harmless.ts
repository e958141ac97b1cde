/** Names of the characters that turn the direction of the text around them (Unicode UAX #9, section 2). */
const NAMES: Readonly<Record<string, string>> = {
  '\u202A': 'LRE',
  '\u202B': 'RLE',
  '\u202C': 'PDF',
  '\u202D': 'LRO',
  '\u202E': 'RLO',
  '\u2066': 'LRI',
  '\u2067': 'RLI',
  '\u2068': 'FSI',
  '\u2069': 'PDI',
}
const TURNING = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * Shows the characters that turn the direction of writing as their names. Otherwise the name of one thing could turn
 * around what stands beside it, or read backwards itself, such as a file that seems to be a picture. The marks within
 * words (U+200E, U+200F, U+061C) reach no further than their neighbours and stay.
 */
export function harmless(text: string): string {
  return text.replaceAll(TURNING, (character) => `[${NAMES[character] ?? ''}]`)
}
