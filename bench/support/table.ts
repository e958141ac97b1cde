/** Returns a Markdown table with columns aligned for reading as plain text; numbers are aligned to the right. */
export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [head, ...rows.map((row) => row.map((cell) => (typeof cell === 'number' ? grouped(cell) : cell)))]
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)))
  const isNumeric = head.map((_, column) => cells.slice(1).every((row) => /^[-+]?[\d.,]*$/.test(row[column])))
  const line = (row: readonly string[]): string => {
    const padded = row.map((cell, i) => (isNumeric[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i])))
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, i) => (isNumeric[i] ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(cells[0]), `| ${rule.join(' | ')} |`, ...cells.slice(1).map(line)].join('\n')
}

export function fixed(value: number, digits: number): string {
  return value.toFixed(digits)
}

/** Returns a whole number with commas between thousands. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
