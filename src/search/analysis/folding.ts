/**
 * Folds the spellings of a word into one: NFKC, lower case, `ä ö ü ß` as `ae oe ue ss`, no other accents. The built-in
 * embedding model folds the same way.
 */

const BEYOND_ASCII = /[\u0080-\uffff]/
const GERMAN = /[äöüß]/g
const GERMAN_FOLDED: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' }
// Letters that look accented to readers, but that Unicode does not decompose.
const STROKED = /[æœøłđðþıς]/g
const STROKED_FOLDED: Readonly<Record<string, string>> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
}
// Accents and pointing only. The vowel signs of Indic scripts are marks too, and removing them would destroy words.
const ACCENTS = new RegExp(
  [
    '[\\u0300-\\u036f]|[\\u1ab0-\\u1aff]|[\\u1dc0-\\u1dff]|[\\u20d0-\\u20ff]|[\\ufe20-\\ufe2f]', // Latin, Greek, Cyrillic
    '[\\u0483-\\u0487]', // Old Cyrillic
    '[\\u0591-\\u05bd]|[\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7]', // Hebrew
    '[\\u0610-\\u061a]|[\\u064b-\\u065f]|\\u0670', // Arabic
  ].join('|'),
  'g',
)
const INVISIBLE = /\u00ad|\u200c|\u200d|\u2060|[\ufe00-\ufe0f]|\ufeff/g

/** Returns the folded form of a text. Folding it again changes no letter and no digit. */
export function fold(text: string): string {
  if (!BEYOND_ASCII.test(text)) return text.toLowerCase()
  return text
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(GERMAN, (letter) => GERMAN_FOLDED[letter])
    .normalize('NFD')
    .replace(ACCENTS, '')
    .replace(STROKED, (letter) => STROKED_FOLDED[letter])
    .normalize('NFC')
}

/** Folds like `fold`, but keeps marks: in scripts without spaces they distinguish letters (か, が). */
export function foldUnspaced(text: string): string {
  return text.replace(INVISIBLE, '').normalize('NFKC').toLowerCase()
}
