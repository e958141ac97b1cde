const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** A Markdown table. Cells are Markdown; pipes and line breaks in them are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
