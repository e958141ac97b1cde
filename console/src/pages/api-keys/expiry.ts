/** When a key runs out, as the dialog offers it. */
export const EXPIRIES = ['never', 'days30', 'days90', 'year', 'date'] as const
export type Expiry = (typeof EXPIRIES)[number]

const DAYS: Readonly<Partial<Record<Expiry, number>>> = { days30: 30, days90: 90, year: 365 }
const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * The choice as a time.
 * @param date the last day, `YYYY-MM-DD`, for the choice `date`: the key is good until the day ends here
 * @returns ISO time, null for never, undefined for a day that is none or is over
 */
export function expiryTime(choice: Expiry, date: string, now: number): string | null | undefined {
  if (choice === 'never') return null
  const days = DAYS[choice]
  if (days !== undefined) return new Date(now + days * DAY_MS).toISOString()
  const end = new Date(`${date}T23:59:59.999`)
  return Number.isNaN(end.getTime()) || end.getTime() <= now ? undefined : end.toISOString()
}
