/** How a language writes times. */
export interface Formats {
  /** A day, such as "21 Nov 2026". */
  readonly day: (iso: string) => string
  /** A time of day, such as "14:05". */
  readonly timeOfDay: (iso: string) => string
  /** A day with its time. */
  readonly moment: (iso: string) => string
  /** Seconds as people count them down, such as "2 min 5 s". */
  readonly wait: (seconds: number) => string
}

export function formatsOf(language: string): Formats {
  // "en" alone would write American dates; "21 November" is clear to everybody.
  const locale = language === 'en' ? 'en-GB' : language
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' })
  const timeOfDay = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  return {
    day: (iso) => day.format(new Date(iso)),
    timeOfDay: (iso) => timeOfDay.format(new Date(iso)),
    moment: (iso) => moment.format(new Date(iso)),
    wait: (seconds) => {
      const minutes = Math.floor(seconds / 60)
      return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`
    },
  }
}
