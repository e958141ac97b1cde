import { normalizeText } from './normalize.ts'
import { PieceTrie } from './piece-trie.ts'

const SEPARATOR = 1
const LETTER = 2
const NUMBER = 3

interface TokenizerRules {
  /** Pieces in the order of their ids. */
  readonly pieces: readonly string[]
  /** Beginning of the pieces that can only continue a word. */
  readonly continuation: string
  /** Least UTF-16 units of a piece that may start a word and may also continue one. */
  readonly minSharedLength: number
  readonly maxTokens: number
}

/**
 * Splits text into runs of letters or of digits, and each run from left to right into the longest pieces of the
 * vocabulary. A character that starts no piece is skipped.
 *
 * The work per character is at most the length of the longest piece.
 */
export class Tokenizer {
  readonly #trie: PieceTrie
  readonly #ids: Int32Array
  readonly #minSharedLength: number
  /** The kind of each UTF-16 unit, looked up once; 0 for a unit that was not looked up yet. */
  readonly #kinds = new Uint8Array(0x10000)

  constructor(rules: TokenizerRules) {
    this.#trie = new PieceTrie(rules.pieces, rules.continuation)
    this.#ids = new Int32Array(rules.maxTokens)
    this.#minSharedLength = rules.minSharedLength
  }

  /** Returns the ids of the text's pieces. The array is reused, so it is valid until the next call. */
  tokenize(text: string): Int32Array {
    const normalized = normalizeText(text)
    let count = 0
    let at = 0
    while (at < normalized.length && count < this.#ids.length) {
      const kind = this.#kindAt(normalized, at)
      if (kind === SEPARATOR) {
        at++
        continue
      }
      const end = this.#runEnd(normalized, at, kind)
      count = this.#splitRun(normalized, at, end, count)
      at = end
    }
    return this.#ids.subarray(0, count)
  }

  #runEnd(text: string, start: number, kind: number): number {
    let end = start + 1
    while (end < text.length && this.#kindAt(text, end) === kind) end++
    return end
  }

  /** Adds the pieces of a run to the ids. @param count number of ids so far. @returns the new number */
  #splitRun(text: string, start: number, end: number, count: number): number {
    const { children, initialIds, continuingIds } = this.#trie
    const ids = this.#ids
    let at = start
    while (at < end && count < ids.length) {
      let best = -1
      let bestEnd = at + 1
      let node = 0
      for (let next = at; next < end;) {
        node = children.get(node, text.charCodeAt(next))
        if (node < 0) break
        next++
        let id = at === start ? initialIds[node] : continuingIds[node]
        if (id < 0 && at !== start && next - at >= this.#minSharedLength) id = initialIds[node]
        if (id < 0) continue
        best = id
        bestEnd = next
      }
      if (best >= 0) ids[count++] = best
      at = bestEnd
    }
    return count
  }

  /** Returns the kind of a UTF-16 unit. Both halves of a surrogate pair have the kind of their character. */
  #kindAt(text: string, at: number): number {
    const unit = text.charCodeAt(at)
    if ((unit & 0xf800) === 0xd800) return kindOf(pairAround(text, at, unit))
    const kind = this.#kinds[unit]
    if (kind !== 0) return kind
    return (this.#kinds[unit] = kindOf(String.fromCharCode(unit)))
  }
}

function pairAround(text: string, at: number, unit: number): string {
  const isLowHalf = unit >= 0xdc00
  return isLowHalf ? text.slice(at - 1, at + 1) : text.slice(at, at + 2)
}

function kindOf(character: string): number {
  if (/^\p{L}$/u.test(character)) return LETTER
  return /^\p{N}$/u.test(character) ? NUMBER : SEPARATOR
}
