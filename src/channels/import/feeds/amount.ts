/** Characters of an amount: enough for digits, marks and a currency. Without a bound, many spaces make AMOUNT slow. */
const AMOUNT_LENGTH_MAX = 64
const AMOUNT = /^(?:([A-Z]{3}|€|\$|£)\s*)?([-+]?[\d.,'\u00a0\u202f ]+?)\s*([A-Z]{3}|€|\$|£)?$/
/** The dash in place of cents, as in `5,-` and `1.299.--`. */
const NO_CENTS = /(\d)\s?[.,]\s?[-\u2013\u2014]{1,2}(?=\D|$)/
const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP' }

interface Amount {
  /** Decimal text. */
  readonly text: string
  /** Code of the currency; undefined when the text has none. */
  readonly currency: string | undefined
}

/**
 * Reads `1.299,00 EUR`, `1,299.00` or `5,- €`. The last point or comma is the decimal mark. Two kinds of marks group
 * thousands instead: a mark that repeats without the other one, and a single comma before three digits, unless only a 0
 * stands before it. So `1.299` keeps its point, `1,299` loses its comma, and `0,999` is a fraction.
 * @returns null for a text that is no amount, such as `ab 5 €`
 */
export function amountOf(text: string): Amount | null {
  const trimmed = text.trim()
  if (trimmed.length > AMOUNT_LENGTH_MAX) return null
  const match = AMOUNT.exec(withCents(trimmed))
  if (match === null || !/\d/.test(match[2])) return null
  const unit = match[1] ?? match[3]
  return { text: decimalOf(match[2]), currency: unit === undefined ? undefined : (SYMBOLS[unit] ?? unit) }
}

/** Writes the dash as cents, behind the mark that does not group thousands. */
function withCents(text: string): string {
  const at = text.search(NO_CENTS)
  return at < 0 ? text : text.replace(NO_CENTS, text.slice(0, at).includes(',') ? '$1.00' : '$1,00')
}

function decimalOf(amount: string): string {
  const digits = amount.replace(/['\u00a0\u202f ]/g, '')
  const [point, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')]
  if (comma < 0) return digits.indexOf('.') === point ? digits : digits.replaceAll('.', '')
  if (point > comma) return digits.replaceAll(',', '')
  const isThousands = point < 0 && (digits.indexOf(',') !== comma || /[1-9]\d{0,2},\d{3}$/.test(digits))
  return isThousands ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.')
}
