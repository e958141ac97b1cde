/**
 * Cuts text into chains. A chain is a word or several words that are tied without spaces ("kube-apiserver", "v1.29",
 * "E-Mail"). Analysis caches its results by chain.
 */
import { CONNECTOR, isDigit, kindAt, SEPARATOR, UNSPACED, widthAt, WORD } from './characters.ts'

/** Most UTF-16 units of a chain. Longer ones are cut into pieces of this length, so every text takes linear time. */
const CHAIN_LENGTH_MAX = 64
/** Characters up to which a chain counts as one. */
const WORD_LENGTH = 8

const PLUS = 0x2b
const HASH = 0x23
const SLASH = 0x2f
const COMMA = 0x2c

/** Receives the offsets of a chain; `unspaced` is true for a run of a script without spaces. */
type ChainSink = (start: number, end: number, unspaced: boolean) => void

/** Calls `sink` with every chain of `text`, in order. No surrogate pair is cut. */
export function eachChain(text: string, sink: ChainSink): void {
  nextChains(text, 0, Infinity, sink)
}

/**
 * Calls `sink` with the next chains of `text` from an offset on, at most `count`. A chain longer than a usual word
 * counts more, once for every `WORD_LENGTH` characters begun, since it takes as much more work.
 * @returns the offset at which the chains behind them begin to be looked for; the text's length when none is left
 */
export function nextChains(text: string, from: number, count: number, sink: ChainSink): number {
  let at = from
  let left = count
  while (at < text.length && left > 0) {
    const kind = kindAt(text, at)
    if (kind === WORD) {
      const end = chainEnd(text, at)
      sink(at, end, false)
      left -= Math.ceil((end - at) / WORD_LENGTH)
      at = end
    } else if (kind === UNSPACED) {
      const end = runEnd(text, at, at + CHAIN_LENGTH_MAX, UNSPACED)
      sink(at, end, true)
      left -= Math.ceil((end - at) / WORD_LENGTH)
      at = end
    } else at += kind === SEPARATOR ? widthAt(text, at) : 1
  }
  return at
}

function runEnd(text: string, start: number, limit: number, kind: number): number {
  let at = start
  while (at < text.length && kindAt(text, at) === kind) {
    const width = widthAt(text, at)
    if (at + width > limit) break
    at += width
  }
  return at
}

/** Returns the end of the chain that starts at `start`. */
function chainEnd(text: string, start: number): number {
  const limit = start + CHAIN_LENGTH_MAX
  let end = runEnd(text, start, limit, WORD)
  while (end < limit && ties(text, end) && kindAt(text, end + 1) === WORD) {
    const next = runEnd(text, end + 1, limit, WORD)
    if (next === end + 1 || kindAt(text, next) === WORD) break
    end = next
  }
  return end + suffixLength(text, start, end)
}

/**
 * Tells whether the character at an offset ties the words beside it. A slash does so only beside a digit: "IBK2/64" is
 * one name, "schwarz/weiß" are two words. A comma ties digits: "1,5" is a number.
 */
function ties(text: string, at: number): boolean {
  if (kindAt(text, at) === CONNECTOR) return true
  const code = text.charCodeAt(at)
  if (code !== SLASH && code !== COMMA) return false
  const before = isDigit(text.charCodeAt(at - 1))
  const after = isDigit(text.charCodeAt(at + 1))
  return code === COMMA ? before && after : before || after
}

/** Returns the length of the signs after the letters that belong to a name, such as "C++" and "C#"; 0 without any. */
function suffixLength(text: string, start: number, end: number): number {
  const code = text.charCodeAt(end)
  if (code === HASH) return end === start + 1 && kindAt(text, end + 1) !== WORD ? 1 : 0
  return code === PLUS && text.charCodeAt(end + 1) === PLUS && kindAt(text, end + 2) !== WORD ? 2 : 0
}
