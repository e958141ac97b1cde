import { fold } from '../../../search/analysis/folding.ts'

/** Longest name in UTF-16 units. A longer value is not a name, and folding it would delay all other callers. */
const NAME_LENGTH_MAX = 300

const WORDS = /[\p{L}\p{N}\p{M}]+(?:[-.][\p{L}\p{N}\p{M}]+)*/gu

/**
 * The typed text with its last word completed from titles. Words that most titles have come first, then shorter ones.
 * After a word typed in full comes the word that follows it in a title. Only titles with the earlier words count.
 * @param titles of the products found, best first
 */
export function completionsOf(typed: string, titles: readonly string[], limit: number): string[] {
  const end = /[\p{L}\p{N}\p{M}]+(?:[-.][\p{L}\p{N}\p{M}]+)*$/u.exec(typed)
  if (end === null) return []
  const before = typed.slice(0, end.index).replace(/\s+/g, ' ').trimStart()
  const begun = fold(end[0])
  const earlier = fold(before).match(WORDS) ?? []
  const counts = new Map<string, { text: string; count: number }>()
  for (const title of titles) {
    const words = title.match(WORDS) ?? []
    const all = words.map(fold)
    if (!earlier.every((typed) => all.some((word) => word.startsWith(typed)))) continue
    const own = new Map<string, string>()
    for (const [i, word] of words.entries()) {
      const folded = all[i]
      if (!folded.startsWith(begun)) continue
      const text = folded !== begun ? word : i + 1 < words.length ? `${word} ${words[i + 1]}` : null
      if (text !== null && !own.has(fold(text))) own.set(fold(text), text)
    }
    for (const [key, text] of own) {
      const held = counts.get(key)
      if (held === undefined) counts.set(key, { text, count: 1 })
      else held.count++
    }
  }
  const sorted = [...counts.values()].sort((a, b) => b.count - a.count || a.text.length - b.text.length)
  return sorted.slice(0, limit).map(({ text }) => before + text)
}

/** The values in which every typed word is the prefix of a word, in the given order. */
export function namesFor<V extends { readonly value: string }>(typed: string, values: readonly V[]): V[] {
  const wanted = fold(typed).match(WORDS) ?? []
  return values.filter(({ value }) => {
    if (value.length > NAME_LENGTH_MAX) return false
    const words = fold(value).match(WORDS) ?? []
    return wanted.length > 0 && wanted.every((begun) => words.some((word) => word.startsWith(begun)))
  })
}
