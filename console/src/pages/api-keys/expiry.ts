/** The expiry choices of the dialog. */
export const EXPIRIES = ['never', 'days30', 'days90', 'year', 'date'] as const
export type Expiry = (typeof EXPIRIES)[number]

const DAYS: Readonly<Partial<Record<Expiry, number>>> = { days30: 30, days90: 90, year: 365 }
const DAY_MS = 24 * 60 * 60 * 1_000

/**
 * Returns the expiry time of a choice.
 * @param date for the choice `date`, the last valid day as `YYYY-MM-DD`, which ends in the browser's time zone
 * @returns ISO time, null for never, undefined for an invalid or past day
 */
export function expiryTime(choice: Expiry, date: string, now: number): string | null | undefined {
  if (choice === 'never') return null
  const days = DAYS[choice]
  if (days !== undefined) return new Date(now + days * DAY_MS).toISOString()
  const end = new Date(`${date}T23:59:59.999`)
  return Number.isNaN(end.getTime()) || end.getTime() <= now ? undefined : end.toISOString()
}
