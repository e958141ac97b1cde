const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A table in Markdown. Cells are Markdown; bars and line breaks in them do no harm. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
