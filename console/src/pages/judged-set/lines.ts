import type { JudgedQuery } from '../../api/judged-sets.ts'
import type { JudgedLine } from './queries.ts'

/**
 * Reads the judged searches of a file of JSON Lines, and the numbers of the lines that are no such searches. Leaves out
 * blank lines.
 */
export function linesOf(text: string): {
  readonly lines: readonly { readonly line: number; readonly value: JudgedLine }[]
  readonly bad: readonly number[]
} {
  const lines: { line: number; value: JudgedLine }[] = []
  const bad: number[] = []
  for (const [i, each] of text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (each.trim() === '') continue
    const value = parsed(each)
    if (value === null) bad.push(i + 1)
    else lines.push({ line: i + 1, value })
  }
  return { lines, bad }
}

function parsed(line: string): JudgedLine | null {
  try {
    const value = JSON.parse(line) as Partial<JudgedLine> | null
    return typeof value?.query === 'string' && Array.isArray(value.judgments) ? (value as JudgedLine) : null
  } catch {
    return null
  }
}

/** Writes one line for each search, as `linesOf` reads them. */
export function linesFrom(queries: readonly JudgedQuery[]): string {
  return queries
    .map(({ query, judgments }) =>
      JSON.stringify({ query, judgments: judgments.map(({ id, grade }) => ({ id, grade })) }),
    )
    .map((line) => `${line}\n`)
    .join('')
}
