import { Int, Type } from '../../platform/contract/schema.ts'

/**
 * Characters that the text of an answer may have, and as many again its structured content. Four are about one token.
 */
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

/** Returns the characters of a budget that are left for the items of an answer. */
export function roomIn(budget: number): number {
  return budget - FRAME_CHARACTERS
}

/** Returns the characters that a value takes in structured content. */
export function jsonLength(value: unknown): number {
  return JSON.stringify(value).length
}

/**
 * Makes items in order, as many as fit the budget. An excerpt of the first item is dropped if the item does not fit.
 * @param make builds an item with an excerpt of at most `excerptMax` characters
 * @param spent characters of the budget that other parts of the answer take
 */
export function fill<T>(
  sources: readonly T[],
  budget: number,
  excerptMax: number,
  make: (source: T, excerptMax: number) => Item,
  spent = 0,
): Item[] {
  let left = roomIn(budget) - spent
  const items: Item[] = []
  for (const source of sources) {
    let item = make(source, excerptMax)
    if (items.length === 0 && costOf(item) > left) item = make(source, 0)
    left -= costOf(item)
    if (left < 0) break
    items.push(item)
  }
  return items
}

function costOf({ json, text }: Item): number {
  return Math.max(jsonLength(json) + 1, text.length + 2)
}

/** Returns a text on one line, cut at the end of a word. It has at most `max` characters, even as JSON with escapes. */
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
 * Returns the part of a text from `start` on, with at most `max` characters, even as JSON with escapes. It never splits
 * a surrogate pair, and it has at least one character unless the text ends at `start`.
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

/**
 * Returns a page of a long text from `offset` on. It ends with a paragraph, line or word if one ends near the limit.
 */
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

/** Returns the end of the last paragraph, line or word in the last fifth of a text, else the end of the text. */
function borderIn(part: string): number {
  for (const border of ['\n\n', '\n', ' ']) {
    const at = part.lastIndexOf(border)
    if (at > part.length * 0.8) return at + border.length
  }
  return part.length
}
