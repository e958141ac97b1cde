import { Int, Type } from '../../platform/contract/schema.ts'

/** Limit for an answer's text, and the same for its structured content. Four characters are about one token. */
export const BUDGET_DEFAULT = 12_000
export const BUDGET_MIN = 2_000
const BUDGET_MAX = 100_000

/** Characters reserved for headings, notes and the frame of an answer. */
const FRAME_CHARACTERS = 500

export const Budget = Type.Optional(
  Int({
    minimum: BUDGET_MIN,
    maximum: BUDGET_MAX,
    default: BUDGET_DEFAULT,
  }),
)

/** One entry, product or category of an answer, as structured content and as text. */
export interface Item {
  readonly json: Record<string, unknown>
  readonly text: string
}

/** Characters of a budget that are left for the items of an answer. */
export function roomIn(budget: number): number {
  return budget - FRAME_CHARACTERS
}

/** Characters that a value takes in structured content. */
export function jsonLength(value: unknown): number {
  return JSON.stringify(value).length
}

/**
 * As many items as fit the budget, in order. If even the first does not fit, its excerpt is dropped.
 * @param make builds an item with an excerpt of at most `excerptMax` characters
 * @param used characters of the budget already spent
 */
export function fill<T>(
  things: readonly T[],
  budget: number,
  excerptMax: number,
  make: (thing: T, excerptMax: number) => Item,
  used = 0,
): Item[] {
  let left = roomIn(budget) - used
  const taken: Item[] = []
  for (const thing of things) {
    let item = make(thing, excerptMax)
    if (taken.length === 0 && costOf(item) > left) item = make(thing, 0)
    left -= costOf(item)
    if (left < 0) break
    taken.push(item)
  }
  return taken
}

function costOf({ json, text }: Item): number {
  return Math.max(jsonLength(json) + 1, text.length + 2)
}

/** The text on one line, cut at the end of a word. It has at most `max` characters, also when escaped as JSON. */
export function excerpt(text: string, max: number): string {
  if (max <= 0) return ''
  const line = text
    .slice(0, max * 4)
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const isWhole = text.length <= max * 4
  if (isWhole && jsonLength(line) - 2 <= max) return line
  const cut = sliceWithin(line, 0, max - 1)
  const space = cut.lastIndexOf(' ')
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/**
 * The part of a text from `start` on, with at most `max` characters, also when escaped as JSON. It never splits a
 * surrogate pair, and it has at least one character unless the text has ended.
 */
export function sliceWithin(text: string, start: number, max: number): string {
  let length = Math.min(max, text.length - start)
  let part = text.slice(start, start + length)
  while (length > 1 && jsonLength(part) - 2 > max) {
    length = Math.min(length - 1, Math.floor((length * max) / (jsonLength(part) - 2)))
    part = text.slice(start, start + Math.max(1, length))
  }
  if (part === '') part = text.slice(start, start + 1)
  return isHighSurrogate(part.charCodeAt(part.length - 1)) ? wholePair(text, start, part) : part
}

function wholePair(text: string, start: number, part: string): string {
  return part.length > 1 ? part.slice(0, -1) : text.slice(start, start + 2)
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

/** One page of a long text, from `offset` on. It ends at a paragraph, line or word if one ends near the limit. */
export function pageOfText(
  text: string,
  offset: number,
  max: number,
): { part: string; start: number; next: number | null } {
  let start = Math.min(offset, text.length)
  if (start > 0 && isHighSurrogate(text.charCodeAt(start - 1))) start -= 1
  const part = sliceWithin(text, start, max)
  if (start + part.length >= text.length) return { part, start, next: null }
  const cut = borderIn(part)
  return { part: part.slice(0, cut), start, next: start + cut }
}

/** End of the last paragraph, line or word in the last fifth of the text, else the end of the text. */
function borderIn(part: string): number {
  for (const border of ['\n\n', '\n', ' ']) {
    const at = part.lastIndexOf(border)
    if (at > part.length * 0.8) return at + border.length
  }
  return part.length
}
