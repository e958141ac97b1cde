/**
 * Properties are values of documents under names of their own, such as `metadata.owner`. A value is text. One that is
 * written like a number or a moment also counts as a number.
 */

/** Names of properties have a full stop, names of an index's own fields have none. */
export function isProperty(name: string): boolean {
  return name.includes('.')
}

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/**
 * The number that a value stands for: a decimal itself, a date or a moment (RFC 3339) in milliseconds since 1970.
 * @returns NaN if it stands for none: no such day, or no number that a double can be
 */
export function numberOfValue(value: string): number {
  const first = value.charCodeAt(0)
  const isNumeric = first === 0x2d || (first >= 0x30 && first <= 0x39)
  if (!isNumeric) return NaN
  if (DECIMAL.test(value)) {
    const number = Number(value)
    return Number.isFinite(number) ? number : NaN
  }
  const [, year, month, day] = MOMENT.exec(value) ?? []
  // Date.parse reads February 31 as a day of March.
  return year === undefined || Number(day) > daysIn(Number(year), Number(month)) ? NaN : Date.parse(value)
}

/** Days of a month of the Gregorian calendar, which begins with month 1. */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Bounds of what one document's properties may take of an index. */
const VALUES_MAX = 64
const NAME_LENGTH_MAX = 100
/** Longer values are known to be there, but not by their text. */
const VALUE_LENGTH_MAX = 100

/**
 * The scalar values in an object, by their path: `prefix.name`, and `prefix.name.inner` for those inside. All values of
 * a list are under the list's name. Null stands for nothing. At most 64 values; those with longer names are left out.
 */
export function propertiesOf(prefix: string, object: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  let left = VALUES_MAX
  const add = (name: string, value: unknown): void => {
    if (left <= 0 || name.length > NAME_LENGTH_MAX || name.includes('\u0000') || value === null || value === undefined)
      return
    if (Array.isArray(value)) return value.forEach((each) => add(name, each))
    if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
    left--
    const text = String(value)
    const values = (found[name] ??= [])
    if (text.length <= VALUE_LENGTH_MAX && !values.includes(text)) values.push(text)
  }
  add(prefix, object)
  return found
}
