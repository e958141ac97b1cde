import { hasUser } from '../web-url.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|[+-](\d\d):(\d\d))$/
const DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/**
 * Tells whether text is an RFC 3339 (section 5.6) time on a day that exists. Leap seconds are refused, because
 * JavaScript has none. So are times whose offset moves them out of the years 0000 to 9999, because UTC could not write
 * them.
 */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text)
  if (match === null) return false
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number)
  if (month < 1 || month > 12 || day < 1 || day > DAYS_OF_MONTHS[month - 1]) return false
  if (month === 2 && day === 29 && !(year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0))) return false
  if (Number(match[7] ?? 0) > 23 || Number(match[8] ?? 0) > 59) return false
  if (hour > 23 || minute > 59 || second > 59) return false
  const utcYear = new Date(text).getUTCFullYear()
  return utcYear >= 0 && utcYear <= 9_999
}

/** Tells whether text is an absolute http or https address, without a user, and without invisible characters. */
export function isWebAddress(text: string): boolean {
  if (!/^https?:\/\//i.test(text) || /[\s\p{Cc}\p{Cf}]/u.test(text) || !URL.canParse(text)) return false
  return !hasUser(new URL(text))
}
