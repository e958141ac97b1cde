/** A heading of a text. */
interface Heading {
  /** Offset of its line. */
  readonly start: number
  /** From 1 to 6. */
  readonly level: number
  readonly text: string
  /** Index of the heading above it in the outline; -1 for none. */
  readonly parent: number
}

/** Offsets of a fenced code block, with its fences. */
interface Fence {
  readonly start: number
  readonly end: number
}

/** Places where a text may be cut: UTF-16 offsets of the first character after the cut, ascending. */
export interface Borders {
  readonly headings: readonly Heading[]
  /** Starts of paragraphs and other blocks. */
  readonly blocks: readonly number[]
  /** Starts of sentences, list items, table rows and lines of code. */
  readonly sentences: readonly number[]
  readonly fences: readonly Fence[]
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t\r]*$/
/**
 * A line that opens or closes a code block. With a further backtick on the same line, the backticks are inline code.
 */
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const ITEM = /^[ \t]*(?:[-*+|>]|\d{1,9}[.)])/
const SENTENCE_END = /[.!?…][)\]"'»“”]?[ \t]/g
const HEADING_TEXT_MAX = 120

/**
 * Finds the places where Markdown or plain text may be cut, in one pass over the lines and linear time. It recognises
 * only the parts that matter for a cut: headings of CommonMark (ATX and underlined), fences, blank lines, list and
 * table lines. Everything else is text.
 */
export function findBorders(content: string): Borders {
  const scan = new BorderScan()
  for (let start = 0; start < content.length;) {
    const newline = content.indexOf('\n', start)
    const end = newline < 0 ? content.length : newline + 1
    scan.take(content.slice(start, newline < 0 ? end : newline), start, end)
    start = end
  }
  scan.finish(content.length)
  return scan
}

/** Collects the borders of a text line by line. */
class BorderScan implements Borders {
  readonly headings: Heading[] = []
  readonly blocks: number[] = []
  readonly sentences: number[] = []
  readonly fences: Fence[] = []
  /** Number of lines of the current paragraph so far; 0 between blocks. */
  #paragraphLines = 0
  #paragraph = { start: 0, text: '' }
  /** Opening characters and offset of the open code block; null outside code. */
  #fence: { readonly mark: string; readonly start: number } | null = null

  /** Reads the next line, from `start` to `end` with its line break. */
  take(line: string, start: number, end: number): void {
    if (this.#fence) return this.#takeCode(line, start, end)
    if (line.trim() === '') {
      this.#paragraphLines = 0
      return
    }
    const fence = FENCE.exec(line)
    if (fence) {
      this.blocks.push(start)
      this.#fence = { mark: fence[1], start }
      return
    }
    const heading = HEADING.exec(line)
    if (heading) return this.#takeHeading(start, heading[1].length, headingText(line))
    if (this.#paragraphLines === 1 && UNDERLINE.test(line)) {
      this.blocks.pop()
      return this.#takeHeading(this.#paragraph.start, line.includes('=') ? 1 : 2, headingText(this.#paragraph.text))
    }
    this.#takeText(line, start)
  }

  /** Ends a code block that is still open. */
  finish(length: number): void {
    if (this.#fence) this.fences.push({ start: this.#fence.start, end: length })
  }

  #takeCode(line: string, start: number, end: number): void {
    const fence = this.#fence!
    this.sentences.push(start)
    const closing = FENCE.exec(line)
    if (!closing?.[1].startsWith(fence.mark) || line.trim() !== closing[1]) return
    this.fences.push({ start: fence.start, end })
    this.#fence = null
    this.#paragraphLines = 0
  }

  #takeHeading(start: number, level: number, text: string): void {
    let parent = this.headings.length - 1
    while (parent >= 0 && this.headings[parent].level >= level) parent = this.headings[parent].parent
    this.headings.push({ start, level, text, parent })
    this.#paragraphLines = 0
  }

  #takeText(line: string, start: number): void {
    if (this.#paragraphLines === 0) {
      this.blocks.push(start)
      this.#paragraph = { start, text: line }
    } else if (ITEM.test(line)) {
      this.sentences.push(start)
    }
    this.#paragraphLines++
    for (const { index, 0: end } of line.matchAll(SENTENCE_END)) this.sentences.push(start + index + end.length)
  }
}

function headingText(line: string): string {
  let end = line.length
  while (end > 0 && ' \t\r#'.includes(line[end - 1])) end--
  let start = 0
  while (start < end && ' \t#'.includes(line[start])) start++
  return line.slice(start, Math.min(end, start + HEADING_TEXT_MAX)).toWellFormed()
}
