import { type MachineFacts, machineText } from '../support/machine.ts'
import { type Requirement, requirementsText } from '../support/requirements.ts'
import { fixed, grouped, table } from '../support/table.ts'
import type { FeedFigures } from './feeds.ts'
import type { OwnWriteFigures } from './own-writes.ts'
import type { PagesFigures } from './pages.ts'
import type { PriceFigures, UnchangedFigures } from './prices.ts'
import type { SearchFigures } from './searches.ts'

/** Scenarios that can be measured alone. */
export const SCENARIOS = ['feed', 'all', 'prices', 'pages', 'own'] as const
export type ScenarioName = (typeof SCENARIOS)[number]

/** Where figures were measured. */
export interface Run {
  /** Name of the state of the program. */
  readonly version: string
  readonly database: string
  readonly round: number
}

/** All that was measured. */
export interface FreshnessFigures {
  readonly feeds: (Run & FeedFigures)[]
  readonly prices: (Run & PriceFigures)[]
  readonly unchanged: (Run & UnchangedFigures)[]
  readonly pages: (Run & PagesFigures)[]
  /** `figures` are null where the service gives a write no watermark. */
  readonly own: (Run & { readonly figures: OwnWriteFigures | null })[]
}

export interface FreshnessReport extends FreshnessFigures {
  readonly machine: MachineFacts
  /** Name of the version that the requirements judge. */
  readonly judged: string
  readonly products: number
  readonly catalogue: string
}

/**
 * Adds the figures of an earlier run that this one did not measure again: of scenarios without figures on a database.
 */
export function withEarlier(report: FreshnessReport, earlier: FreshnessFigures | null): FreshnessReport {
  const merged = <T extends Run>(
    rows: readonly T[],
    before: readonly T[] = [],
    kindOf = (_row: T): string => '',
  ): T[] => {
    const places = new Set(rows.map((row) => `${row.database} ${kindOf(row)}`))
    return [...before.filter((row) => !places.has(`${row.database} ${kindOf(row)}`)), ...rows]
  }
  return {
    ...report,
    feeds: merged(report.feeds, earlier?.feeds, ({ feed }) => feed),
    prices: merged(report.prices, earlier?.prices),
    unchanged: merged(report.unchanged, earlier?.unchanged),
    pages: merged(report.pages, earlier?.pages),
    own: merged(report.own, earlier?.own),
  }
}

const RATIO_MAX = 3
const LONGEST_MAX_MS = 500
const LATER_MAX_MS = 100
const PATCH_CPU_MAX = 4
const UNCHANGED_CPU_MAX = 2
const SETTLED_MAX_MS = 5_000

/** Judges each run of the version that counts. */
export function judgeFreshness(report: FreshnessReport): Requirement[] {
  const isJudged = ({ version }: Run): boolean => version === report.judged
  const seconds = (value: number): string => `${fixed(value, 1)} s`
  const ms = (value: number): string => `${grouped(value)} ms`
  const requirements: Requirement[] = []
  const require = ({ database, round }: Run, what: string, measured: string, met: boolean): void => {
    requirements.push({ what: `${placeText({ database, round }, report)}: ${what}`, measured, met })
  }
  for (const run of report.feeds.filter(isJudged)) {
    const ratio = ratioOf(run)
    if (run.feed === 'feed') {
      const what = `a feed with 20 percent changed: p99 of searches at most ${RATIO_MAX} times alone`
      require(run, what, `${fixed(ratio, 1)} times`, ratio <= RATIO_MAX)
    } else {
      const what = `a feed in which every line changes: no search over ${LONGEST_MAX_MS} ms`
      require(run, what, ms(run.during.max), run.during.max <= LONGEST_MAX_MS)
    }
    const refused = refusedOf(run.during)
    require(run, `${feedText(run)}: no search refused`, grouped(refused), refused === 0)
  }
  for (const run of report.prices.filter(isJudged)) {
    const way = wayText(run)
    const { wrong, checked } = run.checks
    const later = Math.max(run.nextMs, run.nextElsewhereMs) - run.usualMs
    const onTime = `${way}: the next search at most ${LATER_MAX_MS} ms later than usual`
    require(run, onTime, ms(later), later <= LATER_MAX_MS)
    const asBruteForce = `${way}: no answer that differs from brute force`
    require(run, asBruteForce, `${wrong} of ${grouped(checked)}`, wrong === 0)
    if (run.way !== 'patch') continue
    const what = `${way}: at most ${PATCH_CPU_MAX} CPU s until every search shows them`
    require(run, what, seconds(run.cpuSeconds), run.cpuSeconds <= PATCH_CPU_MAX)
  }
  for (const run of report.unchanged.filter(isJudged)) {
    const what = `${grouped(run.lines)} unchanged lines: at most ${UNCHANGED_CPU_MAX} CPU s`
    require(run, what, seconds(run.cpuSeconds), run.cpuSeconds <= UNCHANGED_CPU_MAX)
  }
  for (const run of report.pages.filter(isJudged)) {
    const pages = `import of ${grouped(run.pages)} pages`
    const refused = refusedOf(run.searches)
    require(run, `${pages}: no search refused beside it`, grouped(refused), refused === 0)
    const settled = `${pages}: all found and nothing behind ${SETTLED_MAX_MS / 1_000} s after it`
    require(run, settled, seconds(run.settledMs / 1_000), run.settledMs <= SETTLED_MAX_MS)
    require(run, `${pages}: the first search after it is answered`, statusesText(run.first), refusedOf(run.first) === 0)
  }
  for (const { figures, ...run } of report.own.filter(isJudged)) {
    const what = 'every search with a watermark finds its write beside a feed'
    if (figures === null) require(run, what, 'no watermarks', false)
    else require(run, what, `${figures.found} of ${figures.writes}`, figures.found === figures.writes)
  }
  return requirements
}

export function freshnessHeadline({ feeds, judged }: FreshnessReport): string {
  const some = feeds.filter(({ version, feed }) => version === judged && feed === 'feed')
  const ratios = some.map((run) => `${fixed(ratioOf(run), 1)} times (${run.database})`)
  return ratios.length === 0 ? '' : `p99 of searches beside a feed ${ratios.join(', ')} that alone`
}

/** Returns the scenarios without figures. */
export function unmeasuredOfFreshness(report: FreshnessReport): string[] {
  const { feeds, prices, pages, own } = report
  const missing = [
    ...(feeds.some(({ feed }) => feed === 'feed') ? [] : ['a feed']),
    ...(feeds.some(({ feed }) => feed === 'all') ? [] : ['a feed in which every line changes']),
    ...(prices.length > 0 ? [] : ['prices']),
    ...(pages.length > 0 ? [] : ['imported pages']),
    ...(own.length > 0 ? [] : ['own writes']),
  ]
  return missing
}

/** Returns the report as Markdown. */
export function freshnessText(report: FreshnessReport): string {
  const { machine, products, catalogue, feeds, prices, unchanged, pages, own } = report
  const where = ['version', 'database', 'round']
  const whereOf = ({ version, database, round }: Run): (string | number)[] => [version, database, round]
  const parts = [
    '## Searches while much is written',
    `\`npm run bench:freshness\` measures what searches feel while much is written, with the real service over HTTP. A shop has ${grouped(products)} products (${catalogue}) on three sites, one of them large.`,
  ]
  if (feeds.length > 0) {
    const rows = feeds.map((run) => [
      ...whereOf(run),
      run.feed === 'feed' ? '20 percent' : 'all',
      fixed(run.pushSeconds, 1),
      timesText(run.alone),
      timesText(run.during),
      fixed(ratioOf(run), 1),
      `${grouped(run.alone.count)} / ${grouped(run.during.count)}`,
      statusesText(run.during),
      behindText(run.during),
      fixed(run.settledMs / 1_000, 1),
    ])
    parts.push(
      `**Feeds** are full syncs of the ${grouped(feeds[0].lines)} products of the large site, in which some have another description and another price. Five visitors of the three sites search with facets, by words and by meaning, first alone, then from the first line until a search finds the last one. Times are p50, p99 and the largest, in milliseconds.`,
      table(
        [
          ...where,
          'changed',
          'feed s',
          'alone',
          'beside the feed',
          'p99 ratio',
          'searches',
          'statuses',
          'behind',
          'found after s',
        ],
        rows,
      ),
    )
  }
  if (prices.length > 0) {
    const rows = prices.map((run) => [
      ...whereOf(run),
      run.way,
      fixed(run.pushSeconds, 1),
      fixed(run.cpuSeconds, 1),
      fixed(run.shownMs / 1_000, 2),
      fixed(run.usualMs, 1),
      fixed(run.nextMs, 1),
      fixed(run.nextElsewhereMs, 1),
    ])
    const checks = prices.map(({ checks: each, ...run }) => [
      ...whereOf(run),
      run.way,
      each.pushes,
      each.checked,
      each.checkedDuring,
      each.wrong,
      each.refused,
      fixed(each.longestMs, 1),
      each.firstFault ?? '',
    ])
    parts.push(
      `**Prices**: each product of the large site gets another one, sent as the whole product (upsert) or alone (patch). The processor time is that of the service until searches show all. The next search is the first by price after the last line, in the site and in another one.`,
      table([...where, 'sent as', 'push s', 'CPU s', 'shown after s', 'usual ms', 'next ms', 'elsewhere ms'], rows),
      'Then other prices are pushed, once or several times, while filters by price at random are compared with brute force over the lines that were acknowledged before each search; a line in flight may count either way.',
      table(
        [...where, 'sent as', 'pushes', 'compared', 'during a push', 'wrong', 'refused', 'longest ms', 'first fault'],
        checks,
      ),
    )
  }
  if (unchanged.length > 0) {
    const rows = unchanged.map((run) => [...whereOf(run), run.lines, fixed(run.seconds, 2), fixed(run.cpuSeconds, 2)])
    parts.push('**Unchanged**: the same full feed once more.', table([...where, 'lines', 'seconds', 'CPU s'], rows))
  }
  if (pages.length > 0) {
    const rows = pages.map((run) => [
      ...whereOf(run),
      run.pages,
      fixed(run.importSeconds, 1),
      run.searches.count,
      statusesText(run.searches),
      timesText(run.searches),
      behindText(run.searches),
      fixed(run.foundMs / 1_000, 2),
      fixed(run.settledMs / 1_000, 2),
    ])
    const quiet = pages.map((run) => [
      ...whereOf(run),
      run.pages,
      statusesText(run.first),
      grouped(run.first.max),
      fixed(run.quietFoundMs / 1_000, 2),
    ])
    parts.push(
      '**Pages**: the first import of a tenant, of real pages of documentation, with a search every 50 ms from the first line on. A time counts from when the search was due.',
      table(
        [
          ...where,
          'pages',
          'import s',
          'searches',
          'statuses',
          'p50, p99, largest ms',
          'behind',
          'found after s',
          'settled after s',
        ],
        rows,
      ),
      'Then another tenant imports the same pages and searches for the first time when they are in, and again 50 ms after a refusal. What became of its searches up to the first answer, and when all pages were found:',
      table([...where, 'pages', 'first searches', 'longest ms', 'found after s'], quiet),
    )
  }
  if (own.length > 0) {
    const rows = own.map(({ figures, ...run }) => [
      ...whereOf(run),
      ...(figures === null
        ? ['no watermarks', '', '', '']
        : [
            grouped(figures.writes),
            grouped(figures.found),
            Object.entries(figures.statuses).map(statusText).join(', '),
            timesText(figures.waits),
          ]),
    ])
    parts.push(
      '**Own writes**: beside a feed in which every text changes, products are written to another site, and each is searched for with the watermark of its write.',
      table([...where, 'writes', 'found', 'statuses', 'p50, p99, largest ms'], rows),
    )
  }
  const missing = unmeasuredOfFreshness(report)
  if (missing.length > 0) parts.push(`Not measured: ${missing.join(', ')}.`)
  return [...parts, requirementsText(judgeFreshness(report)), machineText(machine)].join('\n\n')
}

function ratioOf({ alone, during }: FeedFigures): number {
  return during.p99 / alone.p99
}

function refusedOf({ count, statuses }: SearchFigures): number {
  return count - (statuses[200] ?? 0)
}

function feedText({ feed }: FeedFigures): string {
  return feed === 'feed' ? 'a feed with 20 percent changed' : 'a feed in which every line changes'
}

function wayText({ lines, way }: PriceFigures): string {
  return `${grouped(lines)} prices ${way === 'patch' ? 'alone' : 'with their products'}`
}

function placeText({ database, round }: Omit<Run, 'version'>, { feeds, prices, pages, own }: FreshnessReport): string {
  const isRepeated = [...feeds, ...prices, ...pages, ...own].some((run) => run.round > 1)
  return isRepeated ? `${database}, round ${round}` : database
}

function timesText({ p50, p99, max }: { readonly p50: number; readonly p99: number; readonly max: number }): string {
  return [p50, p99, max].map(grouped).join(' / ')
}

function statusesText({ statuses }: SearchFigures): string {
  return Object.entries(statuses).map(statusText).join(', ')
}

function statusText([status, count]: [string, number]): string {
  return status === '0' ? `${grouped(count)} without answer` : `${grouped(count)} of ${status}`
}

function behindText({ count, behind, behindMax }: SearchFigures): string {
  return behind === 0 ? 'never' : `${grouped((100 * behind) / count)} percent, at most ${grouped(behindMax)}`
}
