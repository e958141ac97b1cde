/** Beginning of a text that spreadsheets take for a formula (OWASP, CSV injection). */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r\n|%]/u
/** Beginning of a formula after a semicolon or tab, at which some spreadsheets divide even quoted text into cells. */
const INNER_FORMULA = /([;\t][\s\p{Cf}]*)(?=[=+\-@])/gu

/**
 * Returns a cell of CSV (RFC 4180) that spreadsheets show and never run: text that begins like a formula gets an
 * apostrophe before it. Names, queries and claims of callers may begin so.
 */
export function csvCell(value: string | number | null): string {
  if (value === null || typeof value === 'number') return String(value ?? '')
  const text = FORMULA.test(value) ? `'${value}` : value
  const safe = text.replaceAll(INNER_FORMULA, "$1'")
  return /[",;\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
