const PLAIN = /^[\0-\x7f]*$/
const UMLAUTS = /[äöüß]/g
const SPELLED_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
const MARKS = /\p{M}+/gu
/**
 * Unicode reorders a run of combining marks in quadratic time. Real text has only a few in a row; UAX #15 (stream-safe
 * text format) sets the bound at 30. The model ignores marks anyway.
 */
const ENDLESS_MARKS = /(\p{M}{30})\p{M}+/gu

/** The spelling of the model's vocabulary: NFKC, lower case, umlauts as two letters, no combining marks. */
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
