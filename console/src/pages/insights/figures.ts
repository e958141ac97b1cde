import type { Analytics, Figures } from './queries.ts'

const DAY_MS = 86_400_000

type DayFigures = Analytics['by_day'][number]

/** Returns every day from the first to the last, days without a search too. */
export function everyDay({ from, to, by_day: days }: Pick<Analytics, 'from' | 'to' | 'by_day'>): readonly DayFigures[] {
  const first = Math.floor(Date.parse(from) / DAY_MS)
  const last = Math.floor((Date.parse(to) - 1) / DAY_MS)
  const byDay = new Map(days.map((figures) => [figures.day, figures]))
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const day = new Date((first + i) * DAY_MS).toISOString().slice(0, 10)
    return byDay.get(day) ?? { day, ...NONE }
  })
}

const NONE: Figures = {
  searches: 0,
  clicked: 0,
  click_through_rate: null,
  mean_reciprocal_rank: null,
  zero_results: 0,
  zero_clicks: 0,
}

/** Returns a part of a whole as a share; null without a whole. */
export const shareOf = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)
