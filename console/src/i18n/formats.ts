/** Functions that write times and numbers in a language. */
export interface Formats {
  /** A day, such as "21 Nov 2026". */
  readonly day: (iso: string) => string
  /** A month such as "November 2026", of one like "2026-11". */
  readonly month: (month: string) => string
  /** A day of the calendar in UTC ("2026-11-22"), such as "22 Nov 2026"; short, such as "22 Nov". */
  readonly utcDay: (day: string, length?: 'short') => string
  /** A time of day, such as "14:05". */
  readonly timeOfDay: (iso: string) => string
  /** A day with its time. */
  readonly moment: (iso: string) => string
  /** Time before or after now, such as "2 hours ago"; a day where that is clearer. */
  readonly relative: (iso: string, nowMs: number) => string
  /** Seconds of a countdown, such as "2 min 5 s". */
  readonly wait: (seconds: number) => string
  /** A whole or decimal number with its separators. */
  readonly number: (value: number) => string
  /** A share from 0 to 1 as per cent. */
  readonly percent: (share: number) => string
  /** A size such as "1.4 MB". */
  readonly bytes: (count: number) => string
  /** Items as one text, such as "a, b and c". */
  readonly list: (items: readonly string[]) => string
  /** The name of a language, such as "German". */
  readonly languageName: (tag: string) => string
}

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
const DAY_S = 24 * HOUR_S
const WEEK_S = 7 * DAY_S

/** Makes the formats of a locale. @param locale tag such as "de-DE" */
export function formatsOf(locale: string): Formats {
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' })
  const utcDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
  const shortUtcDay = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const timeOfDay = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const number = new Intl.NumberFormat(locale)
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  const list = new Intl.ListFormat(locale, { type: 'conjunction' })
  const names = new Intl.DisplayNames(locale, { type: 'language' })
  return {
    day: (iso) => day.format(new Date(iso)),
    month: (text) => month.format(new Date(`${text}-01`)),
    utcDay: (iso, length) => (length === 'short' ? shortUtcDay : utcDay).format(new Date(iso)),
    timeOfDay: (iso) => timeOfDay.format(new Date(iso)),
    moment: (iso) => moment.format(new Date(iso)),
    relative: (iso, nowMs) => {
      const seconds = (Date.parse(iso) - nowMs) / 1_000
      const size = Math.abs(seconds)
      if (size < MINUTE_S) return relative.format(0, 'second')
      if (size < HOUR_S) return relative.format(Math.round(seconds / MINUTE_S), 'minute')
      if (size < DAY_S) return relative.format(Math.round(seconds / HOUR_S), 'hour')
      if (size < WEEK_S) return relative.format(Math.round(seconds / DAY_S), 'day')
      return day.format(new Date(iso))
    },
    wait: (seconds) => {
      const minutes = Math.floor(seconds / MINUTE_S)
      return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % MINUTE_S} s`
    },
    number: (value) => number.format(value),
    percent: (share) => percent.format(share),
    bytes: (count) => bytesIn(locale, count),
    list: (items) => list.format(items),
    languageName: (tag) => names.of(tag) ?? tag,
  }
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

function bytesIn(locale: string, count: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3))
  const options = { style: 'unit', unit: UNITS[power], unitDisplay: 'short', maximumFractionDigits: 1 } as const
  return new Intl.NumberFormat(locale, options).format(count / 1_000 ** power)
}
