import { printable } from './printable.ts'

/**
 * Writes rows as text in columns with a heading.
 * @param rows cells by row; an empty cell, null or undefined becomes `-`
 */
export function table(names: readonly string[], rows: readonly (readonly (string | null | undefined)[])[]): string {
  const cells = [names, ...rows.map((row) => row.map((cell) => printable(cell || '-')))]
  const widths = names.map((_, i) => Math.max(...cells.map((row) => row[i].length)))
  return cells
    .map(
      (row) =>
        `${row
          .map((cell, i) => cell.padEnd(widths[i]))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** Writes names and values in two columns. */
export function beside(facts: readonly (readonly [name: string, text: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length))
  return facts.map(([name, text]) => `${name.padEnd(width)}  ${printable(text)}\n`).join('')
}

/** Writes a time in UTC to the minute, such as `2027-02-19 04:06Z`. */
export function minute(ms: number | null): string | null {
  return ms === null ? null : `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')}Z`
}
