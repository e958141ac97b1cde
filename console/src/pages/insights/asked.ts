/** Days that figures may be asked for, today included. */
export const PERIODS = [7, 30, 90, 365] as const
export const SECTIONS = ['knowledge', 'products'] as const
/** The figures that can be shown as a table. */
const FIGURES = ['searches', 'clicks', 'sites'] as const

export type Period = (typeof PERIODS)[number]
type Section = (typeof SECTIONS)[number]
export type FigureName = (typeof FIGURES)[number]

/** What the address of the page says. */
export interface Asked {
  /** Absent: 30 days. */
  readonly days?: Period
  readonly site?: string
  readonly section?: Section
  /** Whether lists are shown whole. */
  readonly all?: true
  /** Figures that are shown as tables. */
  readonly tables?: readonly FigureName[]
  /** The query whose learning is shown. */
  readonly learnt?: string
}

export const DEFAULT_DAYS: Period = 30
/** Queries in each list, at first and when it is shown whole. */
export const LIST = { short: 10, whole: 100 } as const
const LEARNT_MAX = 200
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads an address; what makes no sense in it is left out, so that a broken link still shows figures. */
export function readAsked(search: Record<string, unknown>): Asked {
  const { days, site, section, all, tables, learnt } = search
  const period = PERIODS.find((each) => each === days && each !== DEFAULT_DAYS)
  const part = SECTIONS.find((each) => each === section)
  const shown = Array.isArray(tables) ? FIGURES.filter((each) => tables.includes(each)) : []
  // The router reads `learnt=2026` as a number.
  const query = ['string', 'number'].includes(typeof learnt) ? String(learnt).slice(0, LEARNT_MAX) : ''
  return {
    ...(period === undefined ? {} : { days: period }),
    ...(typeof site === 'string' && UUID.test(site) ? { site } : {}),
    ...(part === undefined ? {} : { section: part }),
    ...(all === true ? { all } : {}),
    ...(shown.length === 0 ? {} : { tables: shown }),
    ...(query.trim() === '' ? {} : { learnt: query }),
  }
}
