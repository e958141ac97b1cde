import { csvCell } from '../../../../src/platform/csv-cell.ts'
import { saveFile } from './save-file.ts'

type Cell = string | number | null

/** Lets the browser save rows as CSV (RFC 4180). @param name name of the file, with its ending */
export function saveCsv(name: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const text = [heads, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
  // The byte order mark tells spreadsheets that the file is UTF-8.
  saveFile(name, `\uFEFF${text}`, 'text/csv')
}
