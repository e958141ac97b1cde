/**
 * Stems German words that are already folded, by the algorithm of the Snowball project (M. Porter, "German stemming
 * algorithm") with the treatment of `ae oe ue` from its variant german2. Umlauts are `ä ö ü` while suffixes
 * are removed; at the end they lose their dots. So "Häuser", "Haeuser" and "Haus" share a stem.
 */

const VOWELS = 'aeiouyäöü'
const S_ENDING = 'bdfghklmnrt'
const ST_ENDING = 'bdfghklmnt'
const LETTERS = /^[a-z]+$/

/**
 * Returns the stem of a folded word (lower case, no umlauts). Words with characters other than `a`-`z` stay unchanged.
 */
export function stemGerman(folded: string): string {
  if (folded.length < 3 || !LETTERS.test(folded)) return folded
  const word = withUmlauts(folded)
  const r1 = regionAfter(word, 0)
  const r2 = regionAfter(word, r1)
  // R1 and R2 are the algorithm's regions. R1 starts after the third letter at the earliest; R2 does not move with it.
  let stem = withoutInflection(word, Math.max(r1, 3))
  stem = withoutComparison(stem, Math.max(r1, 3))
  stem = withoutDerivation(stem, Math.max(r1, 3), r2)
  return withoutMarkers(stem)
}

/**
 * Plural endings of German nouns and of nouns from English ("Controllers"). A singular may have such an ending too, and
 * then loses it as well.
 */
const PLURAL = /(?:er[ns]?|en|(?<=el)n|e|(?<=[bdfghklmnrt])s)$/

/** Returns a folded word without the ending of a plural and without umlauts, so that "Häuser" and "Haus" become one. */
export function withoutGermanPlural(folded: string): string {
  if (folded.length < 3 || !LETTERS.test(folded)) return folded
  const word = withUmlauts(folded)
  const stem = word.replace(PLURAL, '')
  return withoutMarkers(stem.length < Math.max(regionAfter(word, 0), 3) ? word : stem)
}

/**
 * Turns `ae oe ue` into umlauts unless after `q` or between vowels, and u and y between vowels into consonants `U Y`.
 */
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

/**
 * Returns the offset after the first consonant that follows a vowel, from `start` on; the word's end if there is none.
 */
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

/** Returns the longest of `suffixes` (sorted longest first) that ends the word, else the empty string. */
function longestOf(word: string, suffixes: readonly string[]): string {
  for (const suffix of suffixes) if (word.endsWith(suffix)) return suffix
  return ''
}

const MARKERS = /[äöüUY]/g
const UNMARKED: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u', U: 'u', Y: 'y' }

function withoutMarkers(word: string): string {
  return word.replace(MARKERS, (letter) => UNMARKED[letter])
}
