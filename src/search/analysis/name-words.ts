import { fold } from './folding.ts'

const WORDS = /[\p{L}\p{N}\p{M}]+(?:[-.][\p{L}\p{N}\p{M}]+)*/gu
const LAST_WORD = /[\p{L}\p{N}\p{M}]+(?:[-.][\p{L}\p{N}\p{M}]+)*$/u
/** Most UTF-16 units of a name. A longer value is no name, and folding it would delay all other callers. */
const NAME_LENGTH_MAX = 300

/** The words of a short text. Numbers with a full stop and words with a hyphen count as one word. */
export interface NameWords {
  /** The words as they are written. */
  readonly written: readonly string[]
  /** The same words, folded. */
  readonly folded: readonly string[]
}

/** Returns the words of a short text. */
export function nameWords(text: string): NameWords {
  const written = text.match(WORDS) ?? []
  return { written, folded: written.map(fold) }
}

/** Returns the folded words of a name; none if the text is too long for a name. */
export function wordsOfName(name: string): readonly string[] {
  return name.length > NAME_LENGTH_MAX ? [] : (fold(name).match(WORDS) ?? [])
}

/** Divides a typed text at the start of its last word; null if it does not end with a word. */
export function atLastWord(typed: string): { readonly before: string; readonly last: string } | null {
  const end = LAST_WORD.exec(typed)
  return end === null ? null : { before: typed.slice(0, end.index), last: end[0] }
}

/** Returns a text with its words replaced by others, in their order. */
export function withWords(text: string, words: readonly string[]): string {
  let at = 0
  return text.replace(WORDS, () => words[at++])
}
