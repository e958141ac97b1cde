/** Texts that a spreadsheet would take for a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/

/**
 * Rows as CSV (RFC 4180) with a heading. A text that a spreadsheet would take for a formula gets an apostrophe in front.
 */
export function csvOf(names: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string {
  return [names, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')
}

function cellOf(value: string | number | null): string {
  if (value === null || typeof value === 'number') return String(value ?? '')
  const text = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
