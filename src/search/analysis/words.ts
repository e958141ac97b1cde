/**
 * Reads chains, which the tokeniser cuts from texts: their folded words, the parts of these words, and joined
 * spellings. It does not depend on the language.
 */
import { fold, foldUnspaced } from './folding.ts'
import { measureIn, measureOf } from './units.ts'

/** A folded word, with parts that a user may search for. */
export interface Word {
  /** The folded word. */
  readonly text: string
  readonly parts: readonly string[]
  /** Whether the word has digits or signs. Its parts are then pieces of a name or number, and no words of their own. */
  readonly isName: boolean
}

/** One or several words that are tied without spaces. */
export interface Chain {
  readonly words: readonly Word[]
  /** The words of a chain written as one ("email" for "E-Mail"); null for a single word. */
  readonly joined: string | null
  /** Measures inside a longer chain ("18v" in "18-Volt-Akku"), each with the index of its number in `words`. */
  readonly measures: readonly { readonly text: string; readonly at: number }[]
}

export const NO_CHAIN: Chain = { words: [], joined: null, measures: [] }

const TERM_LENGTH_MAX = 64
const JOINED_LENGTH_MAX = 40
const JOINED_WORDS_MAX = 5
const MIXED_RUNS_MAX = 4
const MIXED_LENGTH_MAX = 24
const CAMEL_PART_LENGTH_MIN = 3

const WORDS = /[\p{L}\p{N}\p{M}]+/gu
const SUFFIX = /(?:\+\+|#)$/
const RUNS = /\p{L}[\p{L}\p{M}]*|\p{N}+/gu
const CAMEL = /\p{Lu}?[\p{Ll}\p{N}]+|\p{Lu}+(?!\p{Ll})/gu
const HAS_CAMEL = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u
const DIGIT_END = /\p{N}$/u
const DIGIT_START = /^\p{N}/u
const NAME = /[\p{N}+#]/u
const NUMBER = /^[0-9]+(?:\.[0-9]+)?$/
/** A decimal number with letters behind it ("1,5l"), else a word. Versions and dates ("1.2.3") are words. */
const WORD_OR_DECIMAL = /(?<![.,\p{L}\p{N}])[0-9]+[.,][0-9]+(?![.,]?[0-9])[\p{L}\p{N}\p{M}]*|[^-_.,/\u2010\u2011+#]+/gu
const DECIMAL = /^([0-9]+)[.,]([0-9]+)(.*)$/u

/** Reads a chain of a script with spaces. @param raw the chain as the tokeniser cuts it */
export function readChain(raw: string): Chain {
  const words: Word[] = []
  const suffix = SUFFIX.exec(raw)?.[0] ?? ''
  let joined = ''
  for (const [piece] of raw.matchAll(WORD_OR_DECIMAL)) {
    for (const word of wordsIn(piece)) {
      words.push(word)
      // Only short chains are joined: one character can fold to many, so joining long chains takes quadratic time.
      if (words.length > JOINED_WORDS_MAX || joined.length > JOINED_LENGTH_MAX) continue
      joined += DIGIT_END.test(joined) && DIGIT_START.test(word.text) ? `.${word.text}` : word.text
    }
  }
  const last = words.at(-1)
  if (suffix !== '' && last !== undefined)
    words[words.length - 1] = { text: last.text + suffix, parts: [last.text], isName: true }
  const isJoinable = words.length > 1 && words.length <= JOINED_WORDS_MAX && joined.length <= JOINED_LENGTH_MAX
  const whole = isJoinable ? joined.replace(/^v(?=\d)/, '') + suffix : null
  return { words, joined: whole === null ? null : (measureIn(whole) ?? whole), measures: measuresIn(words) }
}

function wordsIn(piece: string): Word[] {
  const decimal = DECIMAL.exec(piece)
  if (decimal !== null) return [decimalWord(decimal[1], decimal[2], fold(decimal[3]))]
  const camel = camelParts(piece)
  const folded = fold(piece).match(WORDS) ?? []
  return folded.map((text) => {
    const parts = folded.length === 1 && camel.length > 0 ? camel : mixedParts(text)
    return { text: cut(measureIn(text) ?? text), parts, isName: NAME.test(text) }
  })
}

/** Returns a decimal number as a word: "1,5" is 1.5 with the parts 1 and 5, and "3.0" has the part 3 alone. */
function decimalWord(whole: string, fraction: string, unit: string): Word {
  const number = `${whole}.${fraction}`
  const text = cut(measureIn(number + unit) ?? number + unit)
  if (unit !== '') return { text, parts: [cut(number)], isName: true }
  return { text, parts: /^0+$/.test(fraction) ? [whole] : [whole, fraction], isName: true }
}

function measuresIn(words: readonly Word[]): Chain['measures'] {
  if (words.length < 3) return []
  return words.flatMap(({ text }, at) => {
    const measure = at + 1 < words.length && NUMBER.test(text) ? measureOf(text, words[at + 1].text) : null
    return measure === null ? [] : [{ text: measure, at }]
  })
}

/** Cuts a word to the greatest length of a term, never inside a surrogate pair. */
function cut(word: string): string {
  return word.length <= TERM_LENGTH_MAX
    ? word
    : word
        .slice(0, TERM_LENGTH_MAX)
        .toWellFormed()
        .replace(/\ufffd$/, '')
}

/**
 * Returns the parts of a word of letters and digits: "1000xm4" is also found as "xm4", "1000" or "xm 4". A word that
 * alternates more often is a hash, not a name, and has no parts.
 */
function mixedParts(word: string): readonly string[] {
  if (word.length > MIXED_LENGTH_MAX) return []
  const runs = Array.from(word.matchAll(RUNS))
  if (runs.length < 2 || runs.length > MIXED_RUNS_MAX) return []
  const parts = new Set<string>()
  for (const [index, run] of runs.entries()) {
    const tail = word.slice(run.index)
    if (index > 0 && !isLetter(tail)) parts.add(tail)
    if (!isLetter(run[0])) parts.add(run[0])
  }
  return [...parts]
}

/** Tells whether a run is a single letter, which does not identify the name that it comes from. */
function isLetter(run: string): boolean {
  return run.length === 1 && !DIGIT_START.test(run)
}

/** Returns the parts of a word in camel case: "ReplicaSet" is also found as "replica set". */
function camelParts(raw: string): readonly string[] {
  if (!HAS_CAMEL.test(raw)) return []
  const parts = raw.match(CAMEL) ?? []
  if (parts.length < 2 || parts.join('').length !== raw.length) return []
  return parts.every((part) => part.length >= CAMEL_PART_LENGTH_MIN) ? parts.map(fold) : []
}

/**
 * Returns the terms of a run of a script without spaces: every character, and every pair of neighbours (as in Lucene's
 * CJK analysis). `pairs` distinguish texts; `characters` answer queries of one character.
 */
export function readUnspaced(raw: string): { characters: readonly string[]; pairs: readonly string[] } {
  const characters = foldUnspaced(raw).match(/\p{L}\p{M}*|\p{N}\p{M}*|\p{M}+/gu) ?? []
  const pairs: string[] = []
  for (let at = 1; at < characters.length; at += 1) pairs.push(characters[at - 1] + characters[at])
  return { characters, pairs }
}
