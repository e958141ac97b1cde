/**
 * The German stemmer of the Snowball project (M. Porter, "German stemming algorithm", with the
 * treatment of `ae oe ue` of its variant german2), for words that are folded already. Umlauts are
 * kept as `ä ö ü` while suffixes are taken off and lose their dots at the end, so that "Häuser",
 * "Haeuser" and "Haus" meet.
 */

const VOWELS = 'aeiouyäöü'
const S_ENDING = 'bdfghklmnrt'
const ST_ENDING = 'bdfghklmnt'
const LETTERS = /^[a-z]+$/

/**
 * The stem of a folded word (lower case, no umlauts); other words come back as they are.
 * Only `a`-`z` are stemmed.
 */
export function stemGerman(folded: string): string {
  if (folded.length < 3 || !LETTERS.test(folded)) return folded
  const word = withUmlauts(folded)
  const r1 = regionAfter(word, 0)
  const r2 = regionAfter(word, r1)
  // R1 starts no earlier than behind the third letter; R2 is not moved with it.
  let stem = withoutInflection(word, Math.max(r1, 3))
  stem = withoutComparison(stem, Math.max(r1, 3))
  stem = withoutDerivation(stem, Math.max(r1, 3), r2)
  return withoutMarkers(stem)
}

/** `ae oe ue` become umlauts unless after `q` or between vowels; u and y between vowels become consonants `U Y`. */
function withUmlauts(folded: string): string {
  let word = ''
  for (let at = 0; at < folded.length; at += 1) {
    const letter = folded[at]
    const previous = word.at(-1) ?? ''
    const next = folded[at + 1] ?? ''
    if ((letter === 'u' || letter === 'y') && isVowel(previous) && isVowel(next)) word += letter.toUpperCase()
    else if (next === 'e' && (letter === 'a' || letter === 'o' || (letter === 'u' && previous !== 'q'))) {
      word += letter === 'a' ? 'ä' : letter === 'o' ? 'ö' : 'ü'
      at += 1
    } else word += letter
  }
  return word
}

function isVowel(letter: string): boolean {
  return letter !== '' && VOWELS.includes(letter)
}

/** Behind the first consonant that follows a vowel, counted from `start`; the end of the word if there is none. */
function regionAfter(word: string, start: number): number {
  for (let at = start + 1; at < word.length; at += 1) {
    if (!isVowel(word[at]) && isVowel(word[at - 1])) return at + 1
  }
  return word.length
}

function withoutInflection(word: string, r1: number): string {
  const suffix = longestOf(word, ['ern', 'em', 'er', 'en', 'es', 'e', 's'])
  const stem = word.slice(0, word.length - suffix.length)
  if (suffix === '' || stem.length < r1) return word
  if (suffix === 's') return S_ENDING.includes(stem.at(-1) ?? ' ') ? stem : word
  const shortened = suffix === 'e' || suffix === 'en' || suffix === 'es'
  return shortened && stem.endsWith('niss') ? stem.slice(0, -1) : stem
}

function withoutComparison(word: string, r1: number): string {
  const suffix = longestOf(word, ['est', 'en', 'er', 'st'])
  const stem = word.slice(0, word.length - suffix.length)
  if (suffix === '' || stem.length < r1) return word
  if (suffix === 'st') return stem.length >= 4 && ST_ENDING.includes(stem.at(-1) ?? ' ') ? stem : word
  return stem
}

function withoutDerivation(word: string, r1: number, r2: number): string {
  const suffix = longestOf(word, ['isch', 'lich', 'heit', 'keit', 'end', 'ung', 'ig', 'ik'])
  const stem = word.slice(0, word.length - suffix.length)
  if (suffix === '' || stem.length < r2) return word
  switch (suffix) {
    case 'end':
    case 'ung':
      return stem.endsWith('ig') && stem.at(-3) !== 'e' && stem.length - 2 >= r2 ? stem.slice(0, -2) : stem
    case 'lich':
    case 'heit':
      return (stem.endsWith('er') || stem.endsWith('en')) && stem.length - 2 >= r1 ? stem.slice(0, -2) : stem
    case 'keit':
      if (stem.endsWith('lich') && stem.length - 4 >= r2) return stem.slice(0, -4)
      return stem.endsWith('ig') && stem.length - 2 >= r2 ? stem.slice(0, -2) : stem
    default:
      return stem.endsWith('e') ? word : stem
  }
}

/** The first of `suffixes` (longest first) that ends the word, else the empty string. */
function longestOf(word: string, suffixes: readonly string[]): string {
  for (const suffix of suffixes) if (word.endsWith(suffix)) return suffix
  return ''
}

const MARKERS = /[äöüUY]/g
const UNMARKED: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u', U: 'u', Y: 'y' }

function withoutMarkers(word: string): string {
  return word.replace(MARKERS, (letter) => UNMARKED[letter])
}
