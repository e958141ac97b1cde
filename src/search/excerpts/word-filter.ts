/**
 * Finds places in a text where words of a query may stand, in any inflection and spelling. A place is possible where
 * the first three or four letters of a term follow one another.
 */
import { fold } from '../analysis/folding.ts'

/** Bits of the code of one letter. */
const BITS = 5
const THREE = 2 ** (3 * BITS) - 1
const FOUR = 2 ** (4 * BITS) - 1
const HASH_BITS = 14
/** Code of a character that ends a word. Letters and digits have the codes 1 to 31. */
const END = 0
/** Code of a character that ties two words into one, such as a hyphen. */
const TIE = 255
const [A, E, O, S, U] = Array.from('aeosu', (letter) => letter.charCodeAt(0) - 0x60)
const I = 9
const Y = 25

/** Codes of Latin, Greek and Cyrillic characters. Characters that fold to the same letter have the same code. */
const TABLE = Uint8Array.from({ length: 0x530 }, (_, unit) => {
  const character = String.fromCharCode(unit)
  if ('-_./'.includes(character)) return TIE
  const folded = fold(character).charCodeAt(0)
  if (folded >= 0x61 && folded <= 0x7a) return folded - 0x60 === Y ? I : folded - 0x60
  if (folded >= 0x30 && folded <= 0x39) return 27 + (folded % 5)
  return /[\p{L}\p{N}\p{M}]/u.test(character) ? 1 + (folded % 31) : END
})

/** Returns the code of a UTF-16 unit. In scripts outside the table, units share 31 codes. */
function codeOf(unit: number): number {
  if (unit < TABLE.length) return TABLE[unit]
  if (unit === 0x2010 || unit === 0x2011) return TIE
  return unit >= 0x2000 && unit <= 0x206f ? END : 1 + (unit % 31)
}

/** Tells whether a letter is skipped after the one before, since "ae" is also written "ä", and "ss" also "ß". */
function isSilent(code: number, before: number): boolean {
  return (code === E && (before === A || before === O || before === U)) || (code === S && before === S)
}

/** Finds the letters with which a given set of terms may begin. May find other places too, and misses none. */
export class WordFilter {
  /** 1 at the code of three letters if a short term begins with them. */
  readonly #short = new Uint8Array(THREE + 1)
  /** 1 at the hash of four letters if a longer term may begin with them. */
  readonly #long = new Uint8Array(2 ** HASH_BITS)

  constructor(terms: Iterable<string>) {
    for (const term of terms) this.#add(term)
  }

  /** Returns the offset of a letter in the next word, from `from` to before `to`, that may have a term; -1 without one. */
  next(text: string, from: number, to: number): number {
    const short = this.#short
    const long = this.#long
    let letters = 0
    let before = END
    for (let at = from; at < to; at++) {
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

/** Returns the hash of four letters: multiplicative hashing (Knuth, The Art of Computer Programming, 6.4). */
function hashOf(letters: number): number {
  return Math.imul(letters, 0x9e3779b1) >>> (32 - HASH_BITS)
}
