import type { QueryAlternative } from '../engine.ts'
import { drain } from '../../platform/threads/steps.ts'
import { isInFence, plainText } from './plain-text.ts'
import { QueryWords, type WordMatch } from './query-words.ts'

/** Plain text around words of the query. */
export interface Excerpt {
  readonly text: string
  /** Places of words of the query in `text`, in UTF-16 units. */
  readonly matches: { readonly start: number; readonly end: number }[]
}

/** A text from which an excerpt is taken. */
interface ExcerptSource {
  readonly text: string
  /** ISO 639 code. */
  readonly language: string
  /** Offsets of the passage nearest to the query, in UTF-16 units; null if the search did not name one. */
  readonly passage: { readonly start: number; readonly end: number } | null
}

/** The passage nearest to the query, or without one the start of the text. An excerpt is first looked for there. */
export interface NearText {
  /** The part of the text without marks. */
  readonly plain: string
  /** Whether more text follows the part. */
  readonly goesOn: boolean
}

/** Returns the near text: the passage, or without one the first `START_LENGTH` characters. */
export function nearText(text: string, passage: ExcerptSource['passage']): NearText {
  const { start, end: last } = passage ?? { start: 0, end: START_LENGTH }
  const end = cutsPair(text, last) ? last - 1 : last
  return { plain: plainText(text.slice(start, end), isInFence(text, start)), goesOn: goesOnAt(text, end) }
}

const HEADING = /^\s{0,100}#{1,6}[ \t][^\n]{1,600}\n/

/**
 * Returns the length of a first heading that only repeats the title, in UTF-16 units of the Markdown text; 0 without
 * such a heading, or if no text follows it.
 */
export function titleLength(text: string, title: string): number {
  const [heading = ''] = HEADING.exec(text.slice(0, 1_000)) ?? []
  return heading !== '' && plainText(heading) === title.trim() && goesOnAt(text, heading.length) ? heading.length : 0
}

const VISIBLE = /\S/g

/** Tells whether a text has more than white space from an offset on. */
function goesOnAt(text: string, place: number): boolean {
  VISIBLE.lastIndex = place
  return VISIBLE.test(text)
}

/** Characters of the near text where the search did not name a passage. */
const START_LENGTH = 16_384
/** Characters before and after the words of an excerpt that are read to cut the excerpt from. */
const AROUND_LENGTH = 1_500
/**
 * Most characters that one search reads at possible places of the query's words in whole texts, over all its hits: half a
 * second's work where all of them are words that hyphens tie together, and far more than ordinary texts have.
 */
const WHOLE_READ_MAX = 524_288
const CUT = '…'
const SENTENCE_END = /[.!?:]["')\]]?\s/g

/** Takes excerpts of the hits of one search. */
export class Excerpts {
  readonly #words: QueryWords
  readonly #length: number
  /** Characters that the search may still read in whole texts. */
  readonly #left = { characters: WHOLE_READ_MAX }
  /** Whether the whole text is searched if the near text has no word of the query. */
  readonly wholeText: boolean

  /**
   * @param length most UTF-16 units of an excerpt
   * @param wholeText whether the whole text is searched if the near text has no word of the query, as for a search by
   *   words
   * @param alternatives words that words of the query also stand for, from the answer of the search
   */
  constructor(query: string, length: number, wholeText: boolean, alternatives: readonly QueryAlternative[] = []) {
    this.#words = new QueryWords(query, alternatives)
    this.#length = length
    this.wholeText = wholeText
  }

  /** Returns an excerpt of a text. */
  of({ text, language, passage }: ExcerptSource): Excerpt {
    const near = nearText(text, passage)
    return this.ofNear(near, language) ?? drain(this.takingFromWhole(text, language)) ?? this.withoutWords(near)
  }

  /** Returns an excerpt of the near text; null if it has no word of the query and the whole text is to be searched. */
  ofNear(near: NearText, language: string): Excerpt | null {
    const matches = this.#words.matchesIn(near.plain, language)
    return matches.length > 0 || !this.wholeText ? this.#cut(near.plain, matches, near.goesOn) : null
  }

  /**
   * Takes the excerpt around words of the query anywhere in a text, in steps of about a millisecond.
   * @returns null if the text has none, or the search has read too much in whole texts already
   */
  *takingFromWhole(text: string, language: string): Generator<undefined, Excerpt | null> {
    const matches = yield* this.#words.matching(text, language, this.#left)
    return matches.length === 0 ? null : this.#around(text, language, bestWindow(matches, this.#length))
  }

  /** Returns the start of the near text as an excerpt. */
  withoutWords({ plain, goesOn }: NearText): Excerpt {
    return this.#cut(plain, [], goesOn)
  }

  /** Returns the excerpt around the words from offset `first` to offset `last`. */
  #around(text: string, language: string, [first, last]: readonly [number, number]): Excerpt {
    const line = text.lastIndexOf('\n', Math.max(0, first - this.#length))
    const start = Math.max(line + 1, first - AROUND_LENGTH, 0)
    const lineEnd = text.indexOf('\n', last + this.#length)
    const end = Math.min(lineEnd < 0 ? text.length : lineEnd, last + AROUND_LENGTH)
    const [from, to] = [start, end].map((at) => (cutsPair(text, at) ? at - 1 : at))
    const plain = plainText(text.slice(from, to), isInFence(text, from))
    return this.#cut(plain, this.#words.matchesIn(plain, language), goesOnAt(text, to))
  }

  /** Cuts the part with most of the query out of a plain text. @param goesOn whether more text follows it */
  #cut(text: string, matches: readonly WordMatch[], goesOn: boolean): Excerpt {
    // The marks of both cuts count towards the length.
    const room = this.#length - 2 * CUT.length
    if (text.length <= room) return excerptOf(text, matches, 0, text.length, '', goesOn && text !== '' ? CUT : '')
    const [first, last] = bestWindow(matches, room)
    const start = startFor(text, first, room - (last - first))
    const end = endFor(text, start, Math.max(last, start), start + room)
    return excerptOf(text, matches, start, end, start > 0 ? CUT : '', end < text.length || goesOn ? CUT : '')
  }
}

/**
 * Returns the bounds of the stretch with the most different words of the query, then most words; of equal ones the
 * first.
 */
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

/**
 * Returns the start of an excerpt around a match: the start of the match's sentence if there is room, else of a word.
 * @param spare characters that the excerpt may have besides its matches
 */
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

/** Returns the end of an excerpt: after a word, not before the last match at `match`, and at most at `limit`. */
function endFor(text: string, start: number, match: number, limit: number): number {
  if (limit >= text.length) return text.length
  const space = text.lastIndexOf(' ', limit)
  if (space > start && space >= match) return space
  return cutsPair(text, limit) ? limit - 1 : limit
}

/** Tells whether a cut at the offset would divide a surrogate pair. */
function cutsPair(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  return at > 0 && unit >= 0xdc00 && unit <= 0xdfff
}

/** Returns the excerpt from `start` to `end` of a text, with the marks of its cuts. */
function excerptOf(
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
