import { fold } from './analysis/folding.ts'
import type { Correction } from './engine.ts'
import { atLastWord, type NameWords, nameWords, withWords } from './name-words.ts'
import { spelledAs } from './spelling.ts'

/** Titles that a search for a typed text found, and the words of the text that it took for others. */
export interface TitleSource {
  /** Best first. */
  readonly titles: readonly NameWords[]
  readonly corrections: readonly Correction[]
}

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
 * most titles have come first, then shorter ones. After a word typed in full comes the word that follows it in a title.
 * Only titles with the earlier words count.
 */
export function completionsOf(typed: string, sources: readonly TitleSource[], limit: number): string[] {
  const split = atLastWord(typed)
  if (split === null) return []
  const before = split.before.replace(/\s+/g, ' ').trimStart()
  const counts = new Map<string, { text: string; count: number }>()
  for (const { titles, corrections } of sources) {
    const earlier = typedWords(before, corrections)
    const [last] = typedWords(split.last, corrections)
    for (const title of titles) {
      const words = earlier.map((word) => spelledIn(title, word))
      if (!words.every((word) => word !== null)) continue
      const begin = withWords(before, words)
      for (const end of endsIn(title, last)) {
        const text = begin + end
        const held = counts.get(fold(text))
        if (held === undefined) counts.set(fold(text), { text, count: 1 })
        else held.count++
      }
    }
  }
  const sorted = [...counts.values()].sort((a, b) => b.count - a.count || a.text.length - b.text.length)
  return sorted.slice(0, limit).map(({ text }) => text)
}

/** A typed word if one of the title's words begins with it, the title's own word if it was mistyped, else null. */
function spelledIn(title: NameWords, { written, folded, correction }: TypedWord): string | null {
  if (correction === undefined) return title.folded.some((word) => word.startsWith(folded)) ? written : null
  return spelledAs(correction, title)[0] ?? null
}

/** What a title has in place of the last word, each spelling once. */
function endsIn(title: NameWords, { folded: begun, correction }: TypedWord): string[] {
  const ends = correction === undefined ? completed(title, begun) : spelledAs(correction, title)
  const seen = new Set<string>()
  return ends.filter((end) => seen.size < seen.add(fold(end)).size)
}

/** The title's words that start with `begun`; for the word itself, it and the word that follows. */
function completed({ written, folded }: NameWords, begun: string): string[] {
  return written.flatMap((word, i) => {
    if (folded[i] !== begun) return folded[i].startsWith(begun) ? [word] : []
    return i + 1 < written.length ? [`${word} ${written[i + 1]}`] : []
  })
}
