const PLAIN = /^[\0-\x7f]*$/
const UMLAUTS = /[äöüß]/g
const SPELLED_OUT: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
const MARKS = /\p{M}+/gu
/**
 * A run of more combining marks than real text has. Unicode reorders such a run in quadratic time, so the marks beyond
 * the first 30, the bound of UAX #15 (stream-safe text format), are removed. The model ignores marks anyway.
 */
const ENDLESS_MARKS = /(\p{M}{30})\p{M}+/gu

/**
 * Returns a text in the spelling of the model's vocabulary: NFKC, lower case, umlauts as two letters, no combining
 * marks.
 */
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
