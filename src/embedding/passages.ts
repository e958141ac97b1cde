import { type Borders, findBorders } from './markdown-borders.ts'

/** A stretch of a text that gets one vector. */
interface Passage {
  /** UTF-16 offsets into the content, `end` exclusive; both 0 if the content is empty. */
  readonly start: number
  readonly end: number
  /** Text to embed: title and heading path, a blank line, then the passage. */
  readonly text: string
}

/** Sizes in UTF-16 units. */
export interface PassageSizes {
  /** Most characters of content of a passage. */
  readonly max: number
  /**
   * Least characters of a passage, even before a heading. A passage is shorter only at the end of the content, or to keep
   * a code block whole.
   */
  readonly min: number
  /** Most characters that a passage repeats of the passage before it within a section. */
  readonly overlap: number
  /**
   * Whether the title has a vector of its own, with the first passage as its place. By it, short questions and questions
   * in another language find what is about them, and not only mentions it.
   */
  readonly hasOwnTitle?: boolean
}

/** Sizes for most models: about 180 words of English or German at most, 60 at least, and 20 repeated. */
export const PASSAGE_SIZES: PassageSizes = { max: 1_200, min: 400, overlap: 150 }

/**
 * Sizes for the contextual model: about 140 tokens, with the title and the headings in front seldom more than 210. Half
 * the size finds more than the other one (docs/maintainers/search-quality.md), and is read in half the time, so that a
 * query waits less behind it.
 */
export const READ_PASSAGE_SIZES: PassageSizes = { max: 600, min: 200, overlap: 80, hasOwnTitle: true }

/**
 * Splits content into passages that are short enough for one vector each. A passage ends before a heading. A section
 * that is too long is cut between blocks, else sentences, else words, into passages of about equal length that overlap.
 * Every character except white space lies in a passage, and no surrogate pair is cut. The passage of the title comes last.
 *
 * Time is linear in the content's length (up to a logarithm), and there are at most 1 + length / (min / 2) passages.
 */
export function splitPassages(title: string, content: string, sizes: PassageSizes = PASSAGE_SIZES): Passage[] {
  const borders = findBorders(content)
  const passages: Passage[] = []
  const end = content.trimEnd().length
  let start = skipSpace(content, 0)
  let topic = start
  while (start < end) {
    const cut = findCut(content, borders, start, end, sizes)
    const path = headingPath(borders, topic, title)
    const stop = trimBack(content, start, cut.at)
    passages.push({ start, end: stop, text: textToEmbed(title, path, content.slice(start, stop)) })
    topic = skipSpace(content, cut.at)
    start = cut.runsOn ? overlapStart(content, borders, start, topic, sizes) : topic
  }
  if (passages.length === 0) return [{ start: 0, end: 0, text: title }]
  if (sizes.hasOwnTitle === true && title !== '') passages.push({ ...passages[0], text: title })
  return passages
}

interface Cut {
  /** Offset of the first character after the cut. */
  readonly at: number
  /** Whether the text after the cut belongs to the same section, so the passages should overlap. */
  readonly runsOn: boolean
}

/** Returns the end of the passage that starts at `start`: behind `start`, by at most `max` characters. */
function findCut(content: string, borders: Borders, start: number, end: number, sizes: PassageSizes): Cut {
  const nextHeading = borders.headings[lowerBound(borders.headings, start + sizes.min, (heading) => heading.start)]
  const sectionEnd = Math.min(end, nextHeading?.start ?? end)
  const remaining = sectionEnd - start
  if (remaining <= sizes.max) return { at: sectionEnd, runsOn: false }
  const parts = Math.ceil(remaining / (sizes.max - sizes.overlap))
  const ideal = start + remaining / parts
  const from = start + sizes.min
  const to = start + sizes.max
  const block = nearest(borders.blocks, ideal, from, to)
  if (block !== null) return { at: block, runsOn: true }
  const at = nearest(borders.sentences, ideal, from, to) ?? wordCut(content, ideal, from, to)
  return cutBesideFence(borders, at, start, to, sizes) ?? { at, runsOn: true }
}

/**
 * Moves a cut out of a code block that fits into one passage, even if the passage before becomes short.
 * @returns null if the cut can stay
 */
function cutBesideFence(borders: Borders, at: number, start: number, to: number, sizes: PassageSizes): Cut | null {
  const fence = firstEndingAfter(borders.fences, at)
  if (!fence || fence.start >= at) return null
  if (fence.start <= start) return fence.end <= to ? { at: fence.end, runsOn: true } : null
  return fence.end - fence.start <= sizes.max ? { at: fence.start, runsOn: false } : null
}

/**
 * Returns the first start of a word from `ideal` to `to`, else the last one after `from`; without any, `to`, or one
 * less to keep a surrogate pair whole.
 */
function wordCut(content: string, ideal: number, from: number, to: number): number {
  const middle = Math.ceil(ideal)
  for (let at = middle; at <= to; at++) if (startsWord(content, at)) return at
  for (let at = middle - 1; at > from; at--) if (startsWord(content, at)) return at
  return cutsPair(content, to) ? to - 1 : to
}

/** Returns the start of the passage after a cut: the first start of a sentence, else of a word, within the overlap. */
function overlapStart(content: string, borders: Borders, start: number, cut: number, sizes: PassageSizes): number {
  const fence = firstEndingAfter(borders.fences, cut)
  // Overlap must not use the room that a code block needs to stay whole. A fence may be indented by three spaces.
  if (fence && fence.start <= cut && cut <= fence.start + 3) return cut
  const from = Math.max(start + 1, cut - sizes.overlap)
  const index = lowerBound(borders.sentences, from, (offset) => offset)
  const sentence = borders.sentences[index] ?? cut
  if (sentence < cut) return skipSpace(content, sentence)
  for (let at = from; at < cut; at++) if (startsWord(content, at)) return at
  return cut
}

/**
 * Returns the code block around an offset, else the next block. At an offset where one block ends and another starts,
 * it is the block that starts.
 */
function firstEndingAfter(fences: Borders['fences'], offset: number): Borders['fences'][number] | undefined {
  return fences[lowerBound(fences, offset + 1, (fence) => fence.end)]
}

/**
 * Returns the headings above an offset, outermost first, without one that starts there and one that repeats the title.
 */
function headingPath(borders: Borders, offset: number, title: string): string[] {
  const { headings } = borders
  const path: string[] = []
  let index = lowerBound(headings, offset, (heading) => heading.start) - 1
  if (headings[index + 1]?.start === offset) {
    const { level } = headings[index + 1]
    while (index >= 0 && headings[index].level >= level) index = headings[index].parent
  }
  for (; index >= 0; index = headings[index].parent) path.unshift(headings[index].text)
  return path.filter((text) => text !== '' && text !== title)
}

function textToEmbed(title: string, path: readonly string[], body: string): string {
  const head = [title, ...path].filter((part) => part !== '').join(' > ')
  return head === '' ? body : `${head}\n\n${body}`
}

/** Returns the offset in (from, to] that is nearest to `ideal`; null if there is none. @param offsets ascending */
function nearest(offsets: readonly number[], ideal: number, from: number, to: number): number | null {
  const index = lowerBound(offsets, ideal, (offset) => offset)
  const candidates = [offsets[index - 1], offsets[index]].filter((offset) => offset > from && offset <= to)
  if (candidates.length === 0) return null
  return candidates.reduce((best, offset) => (Math.abs(offset - ideal) < Math.abs(best - ideal) ? offset : best))
}

/** Returns the index of the first item whose key is at least `key`. @param items ascending by key */
function lowerBound<T>(items: readonly T[], key: number, keyOf: (item: T) => number): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keyOf(items[middle]) < key) low = middle + 1
    else high = middle
  }
  return low
}

function startsWord(text: string, at: number): boolean {
  return isSpace(text, at - 1) && !isSpace(text, at)
}

function isSpace(text: string, at: number): boolean {
  const unit = text.charCodeAt(at)
  if (unit <= 0x20) return unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)
  return unit >= 0xa0 && /\s/.test(text[at])
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && isSpace(text, at)) at++
  return at
}

function trimBack(text: string, start: number, end: number): number {
  let at = end
  while (at > start && isSpace(text, at - 1)) at--
  return at
}

function cutsPair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00
}
