import { fold } from './folding.ts'

const WORDS = /[\p{L}\p{N}\p{M}]+(?:[-.][\p{L}\p{N}\p{M}]+)*/gu
const LAST_WORD = /[\p{L}\p{N}\p{M}]+(?:[-.][\p{L}\p{N}\p{M}]+)*$/u
/** Longest name in UTF-16 units. A longer value is not a name, and folding it would delay all other callers. */
const NAME_LENGTH_MAX = 300

/** A short text by its words: as they are written, and folded. Numbers with a point and words with a hyphen are whole. */
export interface NameWords {
  readonly written: readonly string[]
  readonly folded: readonly string[]
}

export function nameWords(text: string): NameWords {
  const written = text.match(WORDS) ?? []
  return { written, folded: written.map(fold) }
}

/** The folded words of a name; none if the text is too long for one. */
export function wordsOfName(name: string): readonly string[] {
  return name.length > NAME_LENGTH_MAX ? [] : (fold(name).match(WORDS) ?? [])
}

/** A typed text at the start of its last word; null if it does not end with a word. */
export function atLastWord(typed: string): { readonly before: string; readonly last: string } | null {
  const end = LAST_WORD.exec(typed)
  return end === null ? null : { before: typed.slice(0, end.index), last: end[0] }
}

/** The text with each of its words replaced, in their order. */
export function withWords(text: string, words: readonly string[]): string {
  let at = 0
  return text.replace(WORDS, () => words[at++])
}
