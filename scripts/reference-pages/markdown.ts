/** Returns a table in Markdown; line breaks and bars in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** Returns a page of Markdown from its parts. */
export function page(...parts: readonly string[]): string {
  return `${parts.join('\n\n')}\n`
}
