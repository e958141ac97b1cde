import type { QueryAlternative } from '../engine.ts'
import { isInFence, plainText } from './plain-text.ts'
import { QueryWords, type WordMatch } from './query-words.ts'

export interface Excerpt {
  readonly text: string
  readonly matches: { readonly start: number; readonly end: number }[]
}

/** A text that an excerpt is taken from. */
interface ExcerptSource {
  readonly text: string
  /** ISO 639 code. */
  readonly language: string
  /** The passage that is nearest to the query, in UTF-16 units; null if none is known. */
  readonly passage: { readonly start: number; readonly end: number } | null
}

/** The part of a text that is looked at first, without marks. */
export interface NearText {
  readonly plain: string
  /** Whether the text goes on after it. */
  readonly goesOn: boolean
}

/** The passage of a text, or its start where none is known. */
export function nearText(text: string, passage: ExcerptSource['passage']): NearText {
  const { start, end: last } = passage ?? { start: 0, end: START_LENGTH }
  const end = cutsPair(text, last) ? last - 1 : last
  return { plain: plainText(text.slice(start, end), isInFence(text, start)), goesOn: goesOnAt(text, end) }
}

const HEADING = /^\s{0,100}#{1,6}[ \t][^\n]{1,600}\n/

/** Characters of a first heading that only repeats the title of a Markdown text; 0 without one, or if nothing follows. */
export function titleLength(text: string, title: string): number {
  const [heading = ''] = HEADING.exec(text.slice(0, 1_000)) ?? []
  return heading !== '' && plainText(heading) === title.trim() && goesOnAt(text, heading.length) ? heading.length : 0
}

const VISIBLE = /\S/g

/** Whether a text has more than white space from a place on. */
function goesOnAt(text: string, place: number): boolean {
  VISIBLE.lastIndex = place
  return VISIBLE.test(text)
}

/** Characters of a text without a known passage that are looked at first. */
const START_LENGTH = 16_384
/** Characters before and after a word that an excerpt is cut from. */
const AROUND_LENGTH = 1_500
const CUT = '…'
const SENTENCE_END = /[.!?:]["')\]]?\s/g

/** Takes excerpts of the hits of one search. */
export class Excerpts {
  readonly #words: QueryWords
  readonly #length: number
  /** Whether a text without a word of the query in its passage is looked through. */
  readonly wholeText: boolean

  /**
   * @param length most characters, in UTF-16 units
   * @param wholeText whether a text is looked through beyond its passage, as for a search by words
   * @param alternatives what words of the query also stand for, as the search said
   */
  constructor(query: string, length: number, wholeText: boolean, alternatives: readonly QueryAlternative[] = []) {
    this.#words = new QueryWords(query, alternatives)
    this.#length = length
    this.wholeText = wholeText
  }

  of({ text, language, passage }: ExcerptSource): Excerpt {
    const near = nearText(text, passage)
    return this.ofNear(near, language) ?? this.ofWhole(text, language) ?? this.withoutWords(near)
  }

  /** The excerpt of the text that is looked at first; null if the rest is to be looked through. */
  ofNear(near: NearText, language: string): Excerpt | null {
    const matches = this.#words.matchesIn(near.plain, language)
    return matches.length > 0 || !this.wholeText ? this.#cut(near.plain, matches, near.goesOn) : null
  }

  /** The excerpt around words of the query anywhere in a text; null if there are none. */
  ofWhole(text: string, language: string): Excerpt | null {
    const matches = this.#words.matchesIn(text, language)
    return matches.length === 0 ? null : this.#around(text, language, bestWindow(matches, this.#length))
  }

  /** The start of the text that is looked at first. */
  withoutWords({ plain, goesOn }: NearText): Excerpt {
    return this.#cut(plain, [], goesOn)
  }

  /** The excerpt around a place of a text. */
  #around(text: string, language: string, [first, last]: readonly [number, number]): Excerpt {
    const line = text.lastIndexOf('\n', Math.max(0, first - this.#length))
    const start = Math.max(line + 1, first - AROUND_LENGTH, 0)
    const lineEnd = text.indexOf('\n', last + this.#length)
    const end = Math.min(lineEnd < 0 ? text.length : lineEnd, last + AROUND_LENGTH)
    const [from, to] = [start, end].map((at) => (cutsPair(text, at) ? at - 1 : at))
    const plain = plainText(text.slice(from, to), isInFence(text, from))
    return this.#cut(plain, this.#words.matchesIn(plain, language), goesOnAt(text, to))
  }

  /** The part of a text with most of the query. @param goesOn whether the text goes on after its end */
  #cut(text: string, matches: readonly WordMatch[], goesOn: boolean): Excerpt {
    // The marks of a cut count too.
    const room = this.#length - 2 * CUT.length
    if (text.length <= room) return placed(text, matches, 0, text.length, '', goesOn && text !== '' ? CUT : '')
    const [first, last] = bestWindow(matches, room)
    const start = startFor(text, first, room - (last - first))
    const end = endFor(text, start, Math.max(last, start), start + room)
    return placed(text, matches, start, end, start > 0 ? CUT : '', end < text.length || goesOn ? CUT : '')
  }
}

/** The stretch that holds the most different words of the query, then most words; the first of several. */
function bestWindow(matches: readonly WordMatch[], room: number): readonly [number, number] {
  let best: readonly [number, number] = [0, 0]
  let most = 0
  for (const [i, { start }] of matches.entries()) {
    const seen = new Set<number>()
    let worth = 0
    let to = start
    for (let j = i; j < matches.length && matches[j].end - start <= room; j++) {
      worth += seen.has(matches[j].concept) ? 0.01 : matches[j].weight
      seen.add(matches[j].concept)
      to = matches[j].end
    }
    if (worth > most) [best, most] = [[start, to], worth]
  }
  return best
}

/** Where an excerpt around a match starts: with its sentence if there is room, else with a word. */
function startFor(text: string, match: number, spare: number): number {
  if (match <= spare / 2) return 0
  const from = Math.max(0, match - spare)
  let sentence = -1
  for (const { index, 0: mark } of text.slice(from, match).matchAll(SENTENCE_END)) sentence = from + index + mark.length
  if (sentence >= 0) return sentence
  const near = Math.max(0, match - Math.floor(spare / 2))
  const space = text.indexOf(' ', near)
  if (near > 0 && space >= 0 && space < match) return space + 1
  return cutsPair(text, near) ? near + 1 : near
}

/** Where an excerpt ends: after a word, not before its last match, and at most at `limit`. */
function endFor(text: string, start: number, match: number, limit: number): number {
  if (limit >= text.length) return text.length
  const space = text.lastIndexOf(' ', limit)
  if (space > start && space >= match) return space
  return cutsPair(text, limit) ? limit - 1 : limit
}

/** Whether the place lies inside a surrogate pair. */
function cutsPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff
}

function placed(
  text: string,
  matches: readonly WordMatch[],
  start: number,
  end: number,
  before: string,
  after: string,
): Excerpt {
  const shift = before.length - start
  const inside = matches.filter((match) => match.start >= start && match.end <= end)
  return {
    text: before + text.slice(start, end) + after,
    matches: inside.map((match) => ({ start: match.start + shift, end: match.end + shift })),
  }
}
