import { UsageError } from './failure.ts'

const HOUR_MS = 3_600_000
const UNITS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
  y: 365 * 24 * HOUR_MS,
}

/**
 * Reads when a key expires: `12h`, `90d`, `8w` or `1y` from now, a date (its first moment, UTC), or a date and time.
 * @returns milliseconds since 1970
 * @throws UsageError for any other text, and for a time in the past
 */
export function readExpiry(raw: string, now: number = Date.now()): number {
  const duration = /^([1-9]\d{0,4})([hdwy])$/.exec(raw)
  const isDate = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2}))?$/.test(raw)
  const at = duration !== null ? now + Number(duration[1]) * UNITS[duration[2]] : isDate ? Date.parse(raw) : NaN
  if (Number.isNaN(at)) throw new UsageError('--expires takes 12h, 90d, 8w, 1y, or a date such as 2030-12-31')
  if (at <= now) throw new UsageError('--expires is in the past')
  return at
}
