import { csvCell } from '../../platform/csv-cell.ts'

/** Writes rows as CSV (RFC 4180) with a heading. */
export function csvOf(names: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [names, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}
