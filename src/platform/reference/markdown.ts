const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** Returns the link to a contract. */
export const link = (name: string) => `[${name}](#${name.toLowerCase()})`

/** Renders a Markdown table. Cells are Markdown; pipes and line breaks in them are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

const TABLE_ROWS_MIN = 4

/**
 * Renders rows of name, type and notes: a few rows as a list, more as a table. The table has no column of notes if all
 * notes are empty.
 */
export function described(head: string, rows: readonly (readonly string[])[]): string {
  if (rows.length < TABLE_ROWS_MIN)
    return rows.map(([name, type, notes]) => `- ${name} ${type}${notes === '' ? '' : `: ${notes}`}`).join('\n')
  const columns = rows.every(([, , notes]) => notes === '') ? 2 : 3
  return table(
    [head, 'Type', 'Notes'].slice(0, columns),
    rows.map((row) => row.slice(0, columns)),
  )
}

/** Returns the parts of a page section about shared content; none where the content is empty. */
export function sharedPart(head: string, introduction: string, content: string): string[] {
  return content === '' ? [] : [head, introduction, content]
}
