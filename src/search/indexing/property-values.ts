/**
 * Reads properties of documents: values under names that tenants choose, such as `metadata.owner`. A value is text. A
 * value that is written like a number or a moment also counts as a number.
 */

/** Tells whether a name is that of a property. It has a full stop, which no name of an index's own fields has. */
export function isProperty(name: string): boolean {
  return name.includes('.')
}

const DECIMAL = /^-?\d{1,30}(?:\.\d{1,30})?(?:e[+-]?\d{1,3})?$/i
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/

/**
 * Returns the number that a value stands for: a decimal itself, a date or a moment (RFC 3339) in milliseconds since
 * 1970.
 * @returns NaN if the value stands for none, such as a day that no calendar has or a decimal beyond the range of
 *   doubles
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

/** Returns the days of a month of the Gregorian calendar. @param month from 1 */
function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Most property values of a document in an index. */
const VALUES_MAX = 64
/** Most characters of a property's name. */
const NAME_LENGTH_MAX = 100
/** Most characters of a value whose text is indexed. Of a longer value an index knows only that it exists. */
const VALUE_LENGTH_MAX = 100

/**
 * Returns the scalar values in an object, by their path: `prefix.name`, and `prefix.name.inner` for inner objects. All
 * values of a list are under the list's name. Null is no value. The result has at most 64 values; names over 100
 * characters are left out.
 */
export function propertiesOf(prefix: string, object: Readonly<Record<string, unknown>>): Record<string, string[]> {
  const properties: Record<string, string[]> = {}
  let room = VALUES_MAX
  const add = (name: string, value: unknown): void => {
    if (room <= 0 || name.length > NAME_LENGTH_MAX || name.includes('\u0000') || value === null || value === undefined)
      return
    if (Array.isArray(value)) return value.forEach((each) => add(name, each))
    if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner)
      return
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
    room--
    const text = String(value)
    const values = (properties[name] ??= [])
    if (text.length <= VALUE_LENGTH_MAX && !values.includes(text)) values.push(text)
  }
  add(prefix, object)
  return properties
}
