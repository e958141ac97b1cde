import { csvCell } from '../../../src/platform/csv-cell.ts'

type Cell = string | number | null

/** Lets the browser save rows as CSV (RFC 4180). @param name of the file, with its ending */
export function saveCsv(name: string, heads: readonly string[], rows: readonly (readonly Cell[])[]): void {
  const text = [heads, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
  // The mark tells spreadsheets that it is UTF-8.
  const address = URL.createObjectURL(new Blob(['\uFEFF', text], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun by then; Safari needs the address a moment longer.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
