/**
 * Finds where words of a query may stand in a text, in any inflection and spelling: where three or
 * four letters follow each other with which one of the terms begins.
 */
import { fold } from '../analysis/folding.ts'

/** Bits of a letter's code. */
const BITS = 5
const THREE = 2 ** (3 * BITS) - 1
const FOUR = 2 ** (4 * BITS) - 1
const HASH_BITS = 14
/** Codes of characters: 0 for one that ends a word, the last for one that only ties words. */
const END = 0
const TIE = 255
const [A, E, O, S, U] = Array.from('aeosu', (letter) => letter.charCodeAt(0) - 0x60)
const I = 9
const Y = 25

/** Codes of Latin, Greek and Cyrillic characters. Those that folding makes one letter of have the same. */
const TABLE = Uint8Array.from({ length: 0x530 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if ('-_./'.includes(character)) return TIE
  const folded = fold(character).charCodeAt(0)
  if (folded >= 0x61 && folded <= 0x7a) return folded - 0x60 === Y ? I : folded - 0x60
  if (folded >= 0x30 && folded <= 0x39) return 27 + (folded % 5)
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? 1 + (folded % 31) : END
})

/** Of another script every unit has one of 31 codes. */
function codeOf(unit: number): number {
  if (unit < TABLE.length) return TABLE[unit]
  if (unit === 0x2010 || unit === 0x2011) return TIE
  return unit >= 0x2000 && unit <= 0x206f ? END : 1 + (unit % 31)
}

/** Whether a letter adds nothing: "ae" is also written "ä", and "ss" also "ß". */
function isSilent(code: number, before: number): boolean {
  return (code === E && (before === A || before === O || before === U)) || (code === S && before === S)
}

export class WordFilter {
  /** By three letters, whether a short term begins with them. */
  readonly #short = new Uint8Array(THREE + 1)
  /** By the hash of four letters, whether a longer term may begin with them. */
  readonly #long = new Uint8Array(2 ** HASH_BITS)

  constructor(terms: Iterable<string>) {
    for (const term of terms) this.#add(term)
  }

  /** The place of a letter of a word that may have a term, at or after a place; -1 if there is none. */
  next(text: string, from: number): number {
    const short = this.#short
    const long = this.#long
    let letters = 0
    let before = END
    for (let at = from; at < text.length; at++) {
      const code = codeOf(text.charCodeAt(at))
      if (code === TIE) continue
      if (code === END) {
        letters = 0
        before = END
        continue
      }
      const silent = isSilent(code, before)
      before = code
      if (silent) continue
      letters = ((letters << BITS) | code) & FOUR
      if (short[letters & THREE] === 1 || long[hashOf(letters)] === 1) return at
    }
    return -1
  }

  #add(term: string): void {
    const codes: number[] = []
    let before = END
    for (let at = 0; at < term.length; at++) {
      const code = codeOf(term.charCodeAt(at))
      if (code === END || code === TIE) continue
      if (!isSilent(code, before)) codes.push(code)
      before = code
    }
    if (codes.length === 0) return
    const packed = (count: number): number =>
      codes.slice(0, count).reduce((letters, code) => (letters << BITS) | code, 0)
    // The last letter of a stem may be another one in the text.
    if (codes.length > 4) this.#long[hashOf(packed(4))] = 1
    else {
      // A term of one or two letters may follow any others.
      const step = 2 ** (Math.min(codes.length, 3) * BITS)
      for (let letters = packed(3); letters <= THREE; letters += step) this.#short[letters] = 1
    }
  }
}

/** Multiplicative hashing (Knuth, The Art of Computer Programming, 6.4). */
function hashOf(letters: number): number {
  return Math.imul(letters, 0x9e3779b1) >>> (32 - HASH_BITS)
}
