import { randomSource } from '../support/random.ts'

const WORDS_MIN = 3
const WORDS_MAX = 6

interface Text {
  readonly content: string
}

/** Returns runs of three to six words, each from the content of a random entry. */
export function phrasesOf(entries: readonly Text[], count: number): { words: string; entry: number }[] {
  const random = randomSource(11)
  const below = (bound: number): number => Math.floor(random() * bound)
  return Array.from({ length: count }, () => {
    const entry = below(entries.length)
    const words = entries[entry].content.match(/\p{L}+/gu) ?? []
    const length = WORDS_MIN + below(WORDS_MAX - WORDS_MIN + 1)
    const from = below(Math.max(1, words.length - length))
    return { words: words.slice(from, from + length).join(' '), entry }
  })
}
