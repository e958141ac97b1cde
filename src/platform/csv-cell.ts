/** What spreadsheets take for the beginning of a formula (OWASP, CSV injection). */
const FORMULA = /^[\s\p{Cf}]*[=+\-@\t\r\n|%]/u
/** The same behind a character by which some spreadsheets divide a line, quoted or not. */
const INNER = /([;\t][\s\p{Cf}]*)(?=[=+\-@])/gu

/**
 * A cell of CSV (RFC 4180) that spreadsheets show and never run: what begins like a formula gets an apostrophe before
 * it. Names, queries and claims of callers may begin so.
 */
export function csvCell(value: string | number | null): string {
  if (value === null || typeof value === 'number') return String(value ?? '')
  const begun = FORMULA.test(value) ? `'${value}` : value
  const safe = begun.replaceAll(INNER, "$1'")
  return /[",;\t\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
