import { fold } from '../analysis/folding.ts'
import { PARTITIONS, termOf } from '../analysis/partitions.ts'
import type { Correction } from '../engine.ts'
import { atLastWord, type NameWords, nameWords, withWords } from '../analysis/name-words.ts'
import { spellingsIn } from './spelling.ts'

/** Titles of the hits of a typed text, and the corrections of its mistyped words. */
export interface TitleSource {
  /** Titles, best hit first. */
  readonly titles: readonly NameWords[]
  readonly corrections: readonly Correction[]
}

/**
 * Letters that words of the same stem have in common at least, or all of a shorter word. Comparing them first saves the
 * slower comparison of stems.
 */
const STEM_LENGTH_MIN = 3

/** One word of the typed text, with its correction if it is mistyped. */
interface TypedWord {
  readonly written: string
  readonly folded: string
  readonly correction: Correction | undefined
}

/** Returns the words of a typed text, each with its correction. */
export function typedWords(typed: string, corrections: readonly Correction[]): TypedWord[] {
  const { written, folded } = nameWords(typed)
  return written.map((word, i) => ({
    written: word,
    folded: folded[i],
    correction: corrections.find((each) => fold(each.typed) === folded[i]),
  }))
}

/** Tells whether a title has every typed word, or a word for which it was mistyped. */
export function hasEach(title: NameWords, words: readonly TypedWord[]): boolean {
  return words.every((word) => spellingIn(title, word) !== null)
}

/**
 * Returns completions of a typed text: the text with its last word completed from titles, and with its mistyped words
 * as the titles have them. The completions of most titles come first, then shorter ones. A last word that a title has
 * in full is completed by the word that follows it in the title; after a space, by such words alone. Where no title has
 * a word that the last word begins, another form of the last word, such as its plural, completes it. Only titles with
 * all earlier words count.
 * @param limit most completions
 */
export function completionsOf(typed: string, sources: readonly TitleSource[], limit: number): string[] {
  const split = atLastWord(typed.trimEnd())
  if (split === null) return []
  const isDone = typed !== typed.trimEnd()
  const ways: readonly LastWords[] = isDone ? [withNextWord] : [completionsIn, otherForms]
  for (const lastWords of ways) {
    const completions = countCompletions(split, sources, lastWords)
    if (completions.length === 0) continue
    const sorted = completions.sort((a, b) => b.count - a.count || a.text.length - b.text.length)
    return sorted.slice(0, limit).map(({ text }) => text)
  }
  return []
}

/** Returns the words of a title that may take the place of the last typed word. */
type LastWords = (title: NameWords, last: TypedWord) => readonly string[]

/** Returns the completions from titles, each with the number of titles that give it. */
function countCompletions(
  { before: earlierText, last: lastText }: NonNullable<ReturnType<typeof atLastWord>>,
  sources: readonly TitleSource[],
  lastWords: LastWords,
): { readonly text: string; readonly count: number }[] {
  const before = earlierText.replace(/\s+/g, ' ').trimStart()
  const counts = new Map<string, { text: string; count: number }>()
  for (const { titles, corrections } of sources) {
    const earlier = typedWords(before, corrections)
    const [last] = typedWords(lastText, corrections)
    for (const title of titles) {
      const words = earlier.map((word) => spellingIn(title, word))
      if (!words.every((word) => word !== null)) continue
      const begin = withWords(before, words)
      const seen = new Set<string>()
      for (const end of lastWords(title, last)) {
        // A title counts once for each spelling.
        if (seen.size === seen.add(fold(end)).size) continue
        const text = begin + end
        const completion = counts.get(fold(text))
        if (completion === undefined) counts.set(fold(text), { text, count: 1 })
        else completion.count++
      }
    }
  }
  return [...counts.values()]
}

/**
 * Returns a typed word as it stands in a completion: as it was typed if it begins a word of the title, else the title's
 * word of which it is another form or a misspelling; null if the title has none.
 */
function spellingIn(title: NameWords, word: TypedWord): string | null {
  const { written, folded, correction } = word
  if (correction !== undefined) return spellingsIn(correction, title)[0] ?? null
  return title.folded.some((word) => word.startsWith(folded)) ? written : (otherForms(title, word)[0] ?? null)
}

/** Returns the title's words that have the same stem as the typed word, such as its plural. */
function otherForms({ written, folded: words }: NameWords, { folded }: TypedWord): string[] {
  const start = folded.slice(0, STEM_LENGTH_MIN)
  return written.filter(
    (_, i) => words[i].startsWith(start) && PARTITIONS.some((each) => termOf(each, words[i]) === termOf(each, folded)),
  )
}

/** Returns the title's words that the typed word begins, or for which it was mistyped. */
function completionsIn(title: NameWords, { folded, correction }: TypedWord): string[] {
  return correction === undefined ? wordsWithPrefix(title, folded) : spellingsIn(correction, title)
}

/** Returns the title's words for a word that is typed in full, each with the word that follows it in the title. */
function withNextWord(title: NameWords, word: TypedWord): string[] {
  const own = word.correction === undefined ? otherForms(title, word) : spellingsIn(word.correction, title)
  const { written } = title
  return written.flatMap((each, i) =>
    own.includes(each) && i + 1 < written.length ? [`${each} ${written[i + 1]}`] : [],
  )
}

/** Returns the title's words that start with `prefix`. A word that equals it comes with the word that follows. */
function wordsWithPrefix({ written, folded }: NameWords, prefix: string): string[] {
  return written.flatMap((word, i) => {
    if (folded[i] !== prefix) return folded[i].startsWith(prefix) ? [word] : []
    return i + 1 < written.length ? [`${word} ${written[i + 1]}`] : []
  })
}
