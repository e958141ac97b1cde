/** Periods to choose from, in days. Today counts as one. */
export const PERIODS = [7, 30, 90, 365] as const
export const SECTIONS = ['knowledge', 'products'] as const
/** Figures that can be shown as a table. */
const FIGURES = ['searches', 'clicks', 'sites'] as const

export type Period = (typeof PERIODS)[number]
type Section = (typeof SECTIONS)[number]
export type FigureName = (typeof FIGURES)[number]

/** Choices in the address of the page. */
export interface InsightsChoices {
  /** Number of days; absent for 30. */
  readonly days?: Period
  readonly site?: string
  readonly section?: Section
  /** Whether lists are shown whole. */
  readonly all?: true
  /** Figures that are shown as tables. */
  readonly tables?: readonly FigureName[]
  /** Query for which the learnt effects are shown. */
  readonly learnt?: string
}

export const DEFAULT_DAYS: Period = 30
/** How many queries each list shows at most, short and whole. */
export const LIST = { short: 10, whole: 100 } as const
const LEARNT_MAX = 200
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Reads the choices of an address. Leaves out values that make no sense, so that a broken link still shows figures. */
export function readChoices(search: Record<string, unknown>): InsightsChoices {
  const { days, site, section, all, tables, learnt } = search
  const period = PERIODS.find((each) => each === days && each !== DEFAULT_DAYS)
  const part = SECTIONS.find((each) => each === section)
  const tableNames = Array.isArray(tables) ? FIGURES.filter((each) => tables.includes(each)) : []
  // The router reads `learnt=2026` as a number.
  const query = ['string', 'number'].includes(typeof learnt) ? String(learnt).slice(0, LEARNT_MAX) : ''
  return {
    ...(period === undefined ? {} : { days: period }),
    ...(typeof site === 'string' && UUID.test(site) ? { site } : {}),
    ...(part === undefined ? {} : { section: part }),
    ...(all === true ? { all } : {}),
    ...(tableNames.length === 0 ? {} : { tables: tableNames }),
    ...(query.trim() === '' ? {} : { learnt: query }),
  }
}
