/**
 * Removes the marks of Markdown and HTML from a text. Code in fences stays as it is. Every pattern looks ahead by a
 * bounded number of characters, so any text takes linear time.
 */

/** The opening or closing line of a code block, which may stand in quotes and in list items of any depth. */
const FENCE = /^[ \t>]{0,40}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?(?:`{3}|~{3})/
const FENCES = new RegExp(FENCE.source, 'gm')
/** Lines of marks alone: rules, underlines of headings, dividers of tables, and definitions of links. */
const MARKS_ONLY = /^\s*(?:[-=_*|:\s]{2,200}|\[[^\]]{1,200}\]:\s.*)$/
const BLOCK_MARKS = /^\s*(?:>\s?){0,9}\s*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?/
const HEADING_END = /\s+#+\s*$/
const IMAGES_AND_LINKS = /!?\[([^[\]]{0,500})\](?:\([^()]{0,1000}\)|\[[^[\]]{0,200}\])/g
const FOOTNOTES = /\[\^[^\]]{1,50}\]/g
const ADDRESSES = /<((?:https?:\/\/|mailto:)[^<>\s]{1,500})>/g
const TAGS = /<\/?[a-z][^<>]{0,500}>|<!--.{0,500}?-->/gi
const EMPHASIS = /(?<![\p{L}\p{N}\\])(?:\*{1,3}|_{1,3}|~~)(?=\S)|(?<=[^\s\\])(?:\*{1,3}|_{1,3}|~~)(?![\p{L}\p{N}])/gu
const ESCAPES = /\\([\\`*_{}[\]()#+\-.!|>~])/g
const ENTITIES = /&(amp|lt|gt|quot|nbsp|#39|apos);/g
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  '#39': "'",
  apos: "'",
}
/** The placeholder of a piece of code: its number in the line between two NUL characters, which no stored text has. */
const PLACEHOLDER = /\0(\d+)\0/g
const HAS_MARKS = /[[\]<>*_~\\&]/

/** Tells whether an offset of a text lies inside a code block. */
export function isInFence(text: string, at: number): boolean {
  return (text.slice(0, at).match(FENCES)?.length ?? 0) % 2 === 1
}

/**
 * Returns a text as one line without marks.
 * @param isCode whether the text begins inside a code block
 */
export function plainText(text: string, isCode = false): string {
  const lines: string[] = []
  let inFence = isCode
  for (const line of text.split('\n')) {
    if (FENCE.test(line)) inFence = !inFence
    else if (inFence) lines.push(line)
    else if (!MARKS_ONLY.test(line)) lines.push(plainLine(line))
  }
  return lines.join(' ').replace(/\s+/g, ' ').trim()
}

function plainLine(raw: string): string {
  let text = raw.replace(BLOCK_MARKS, '')
  if (raw.trimStart().startsWith('#')) text = text.replace(HEADING_END, '')
  if (text.startsWith('|')) text = text.replaceAll('|', ' ')
  const parts = text.split('`')
  // Code stands between two backticks. With an odd number of backticks, the line has no code.
  if (parts.length % 2 === 0) return plainInline(text)
  const line = parts.map((part, i) => (i % 2 === 0 ? part : `\0${i}\0`)).join('')
  // A link may stand around code, so the marks are removed from the whole line, in which placeholders stand for code.
  return parts.length === 1 ? plainInline(line) : plainInline(line).replace(PLACEHOLDER, (_, i: string) => parts[+i])
}

function plainInline(text: string): string {
  if (!HAS_MARKS.test(text)) return text
  return text
    .replace(IMAGES_AND_LINKS, '$1')
    .replace(FOOTNOTES, '')
    .replace(ADDRESSES, '$1')
    .replace(TAGS, ' ')
    .replace(EMPHASIS, '')
    .replace(ESCAPES, '$1')
    .replace(ENTITIES, (_entity, name: string) => NAMED[name])
}
