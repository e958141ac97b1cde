export interface TextHeading {
  readonly id: string
  readonly text: string
  /** Level of the heading, from 1, as in Markdown. */
  readonly level: number
}

/** Returns the id of the heading that begins on a line of the text, counted from 1. */
export const headingId = (line: number): string => `line-${line}`

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.+?)[ \t]*#*[ \t]*$/
const FENCE = /^ {0,3}(`{3,}|~{3,})/

/**
 * Returns the headings of a text in Markdown, for its table of contents. Leaves out lines of code that look like
 * headings.
 */
export function headingsOf(text: string): readonly TextHeading[] {
  const headings: TextHeading[] = []
  let fence: string | null = null
  for (const [i, line] of text.split('\n').entries()) {
    const mark = FENCE.exec(line)?.[1]
    if (fence !== null) {
      if (mark?.startsWith(fence) === true) fence = null
      continue
    }
    if (mark !== undefined) {
      fence = mark
      continue
    }
    const [, signs, words] = HEADING.exec(line.replace(/\r$/, '')) ?? []
    if (signs !== undefined && words !== undefined) {
      headings.push({ id: headingId(i + 1), text: plain(words), level: signs.length })
    }
  }
  return headings
}

/**
 * Returns the text without a heading at its beginning that only repeats the title, as imported pages have it. The line
 * stays, empty, so that the ids of headings stay as well.
 */
export function withoutTitle(text: string, title: string): string {
  return text.replace(/^(\s*)# +(.+?)[ \t]*#*[ \t]*(?=\r?\n|$)/, (all, before: string, words: string) =>
    plain(words) === title.trim() ? before : all,
  )
}

/** Returns a heading without the marks of Markdown. */
const plain = (words: string): string =>
  words
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(\*\*|__|\*|`|~~)/g, '')
    .trim()
