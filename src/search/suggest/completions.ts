import { fold } from '../analysis/folding.ts'
import { PARTITIONS, termOf } from '../analysis/partitions.ts'
import type { Correction } from '../engine.ts'
import { atLastWord, type NameWords, nameWords, withWords } from '../analysis/name-words.ts'
import { spelledAs } from './spelling.ts'

/** Titles that a search for a typed text found, and the words of the text that it took for others. */
export interface TitleSource {
  /** Best first. */
  readonly titles: readonly NameWords[]
  readonly corrections: readonly Correction[]
}

/** Words of the same stem have at least so many letters in common; comparing stems takes longer. */
const STEM_LENGTH_MIN = 3

/** One word of the typed text. */
interface TypedWord {
  readonly written: string
  readonly folded: string
  readonly correction: Correction | undefined
}

/** The words of a typed text, each with its correction. */
export function typedWords(typed: string, corrections: readonly Correction[]): TypedWord[] {
  const { written, folded } = nameWords(typed)
  return written.map((word, i) => ({
    written: word,
    folded: folded[i],
    correction: corrections.find((each) => fold(each.typed) === folded[i]),
  }))
}

/** Whether a title has every typed word, or what it was mistyped for. */
export function hasEach(title: NameWords, words: readonly TypedWord[]): boolean {
  return words.every((word) => spelledIn(title, word) !== null)
}

/**
 * The typed text with its last word completed from titles, and with its mistyped words as the title has them. Words that
 * most titles have come first, then shorter ones. After a word typed in full comes the word that follows it in a title,
 * and nothing else once a space says that it is done. Where no title has a word that begins so, the same word in another
 * form stands in. Only titles with the earlier words count.
 */
export function completionsOf(typed: string, sources: readonly TitleSource[], limit: number): string[] {
  const split = atLastWord(typed.trimEnd())
  if (split === null) return []
  const isDone = typed !== typed.trimEnd()
  const ways = isDone ? [followed] : [begunIn, inflected]
  for (const endsIn of ways) {
    const found = counted(split, sources, endsIn)
    if (found.length === 0) continue
    const sorted = found.sort((a, b) => b.count - a.count || a.text.length - b.text.length)
    return sorted.slice(0, limit).map(({ text }) => text)
  }
  return []
}

/** What a title has in place of the last word. */
type EndsIn = (title: NameWords, last: TypedWord) => readonly string[]

/** The completions that titles give, each with how many of them. */
function counted(
  { before: earlierText, last: lastText }: NonNullable<ReturnType<typeof atLastWord>>,
  sources: readonly TitleSource[],
  endsIn: EndsIn,
): { readonly text: string; readonly count: number }[] {
  const before = earlierText.replace(/\s+/g, ' ').trimStart()
  const counts = new Map<string, { text: string; count: number }>()
  for (const { titles, corrections } of sources) {
    const earlier = typedWords(before, corrections)
    const [last] = typedWords(lastText, corrections)
    for (const title of titles) {
      const words = earlier.map((word) => spelledIn(title, word))
      if (!words.every((word) => word !== null)) continue
      const begin = withWords(before, words)
      const seen = new Set<string>()
      for (const end of endsIn(title, last)) {
        // A title counts once for each spelling.
        if (seen.size === seen.add(fold(end)).size) continue
        const text = begin + end
        const held = counts.get(fold(text))
        if (held === undefined) counts.set(fold(text), { text, count: 1 })
        else held.count++
      }
    }
  }
  return [...counts.values()]
}

/** A typed word if one of the title's words begins with it, the title's own word if it is another one, else null. */
function spelledIn(title: NameWords, word: TypedWord): string | null {
  const { written, folded, correction } = word
  if (correction !== undefined) return spelledAs(correction, title)[0] ?? null
  return title.folded.some((word) => word.startsWith(folded)) ? written : (inflected(title, word)[0] ?? null)
}

/** The title's words that are the typed word in another form, such as its plural. */
function inflected({ written, folded: words }: NameWords, { folded }: TypedWord): string[] {
  const start = folded.slice(0, STEM_LENGTH_MIN)
  return written.filter(
    (_, i) => words[i].startsWith(start) && PARTITIONS.some((each) => termOf(each, words[i]) === termOf(each, folded)),
  )
}

/** The title's words that the last one begins, or was mistyped for. */
function begunIn(title: NameWords, { folded, correction }: TypedWord): string[] {
  return correction === undefined ? completed(title, folded) : spelledAs(correction, title)
}

/** The title's words for one that is typed in full, each with the word that follows it. */
function followed(title: NameWords, word: TypedWord): string[] {
  const own = word.correction === undefined ? inflected(title, word) : spelledAs(word.correction, title)
  const { written } = title
  return written.flatMap((each, i) =>
    own.includes(each) && i + 1 < written.length ? [`${each} ${written[i + 1]}`] : [],
  )
}

/** The title's words that start with `begun`; for the word itself, it and the word that follows. */
function completed({ written, folded }: NameWords, begun: string): string[] {
  return written.flatMap((word, i) => {
    if (folded[i] !== begun) return folded[i].startsWith(begun) ? [word] : []
    return i + 1 < written.length ? [`${word} ${written[i + 1]}`] : []
  })
}
