const PLAIN = /^[\0-\x7f]*$/
const UMLAUTS = /[äöüß]/g
const SPELLED_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
const MARKS = /\p{M}+/gu
/**
 * Unicode's reordering of combining marks takes time quadratic in the length of a run of them. Text in use
 * has a handful in a row; UAX #15 (stream-safe text format) sets the bound at 30. The model drops marks anyway.
 */
const ENDLESS_MARKS = /(\p{M}{30})\p{M}+/gu

/** The form the model's vocabulary is written in: NFKC, lower case, umlauts spelled out, no combining marks. */
export function normalizeText(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return text
    .replace(ENDLESS_MARKS, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(UMLAUTS, (letter) => SPELLED_OUT[letter])
    .normalize('NFD')
    .replace(MARKS, '')
}
