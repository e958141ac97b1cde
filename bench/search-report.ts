import type { AnswersReport } from './search-answers.ts'
import type { QueriesReport } from './search-queries.ts'
import type { LoadFigures, Scenario } from './search-scenarios.ts'
import type { LoadingTimes } from './search-tenant.ts'
import type { PacedFigures } from './support/load.ts'
import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText, unmeasuredText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

export interface ScenarioReport {
  readonly scenario: Scenario
  readonly service: LoadFigures
  /** Processor time per search, relative to the ceiling's. */
  readonly ratio: number
}

export interface SizeReport {
  readonly size: number
  readonly loading: LoadingTimes
  /** Figures of reads of another tenant's entries meanwhile; null if not measured. */
  readonly reads: PacedFigures | null
  /** Resident memory of the service at the end, and its highest so far, megabytes. */
  readonly now: number
  readonly peak: number
  readonly searches: readonly ScenarioReport[]
  /** Figures of the ceiling by connections. */
  readonly ceilings: readonly { readonly connections: number; readonly figures: LoadFigures }[]
  /**
   * Processor time of the cheapest search with an access token, relative to that with an API key; null if not measured.
   */
  readonly tokenRatio: number | null
  /** Cost of an answer; absent or null if not measured. */
  readonly answers?: AnswersReport | null
}

export interface SearchReport {
  readonly machine: MachineFacts
  readonly dimensions: number
  readonly sizes: readonly SizeReport[]
  /** Figures of queries that a built-in model reads; absent or null if not measured. */
  readonly queries?: QueriesReport | null
}

/** Entries up to which the first bound applies; above it the second does. */
const SMALL_ENTRIES_MAX = 10_000
const SMALL_RATIO_MAX = 3
const LARGE_RATIO_MAX = 6
const READ_P99_MAX_MS = 50
const TOKEN_RATIO_MAX = 1.1
/**
 * Most processor time of the frame of a search at 1 percent, relative to a bare route, and of chosen fields, relative
 * to whole entries.
 */
const FRAME_RATIO_MAX = 1.8
const CHOSEN_RATIO_MAX = 1.15
/** Most processor time of a repeated query with a model that reads, relative to one that does not. */
const REPEATED_RATIO_MAX = 1.05
/**
 * Fewest entries of an import whose reads are judged. Smaller imports last only a few hundred reads, and the slowest
 * hundredth is just the start of the import.
 */
const INDEXING_ENTRIES_MIN = 100_000

/** Judges searches, what answers cost, reads meanwhile, and queries that a model reads. */
export function judgeSearch({ sizes, queries }: Pick<SearchReport, 'sizes' | 'queries'>): Requirement[] {
  return [...judgeSizes(sizes), ...judgeQueries(queries ?? null)]
}

function judgeQueries(report: QueriesReport | null): Requirement[] {
  const row = report?.rows.find(({ model, queries }) => model === 'both' && queries === 'repeated')
  if (row === undefined) return []
  return [
    {
      what: `repeated queries with both models: at most ${fixed(REPEATED_RATIO_MAX, 2)} times the processor time as with static-de-en-v2`,
      measured: fixed(row.ratio, 2),
      met: row.ratio <= REPEATED_RATIO_MAX,
    },
  ]
}

/** Judges 16 connections in the default mode, with and without filters, and reads meanwhile. */
function judgeSizes(sizes: readonly SizeReport[]): Requirement[] {
  return sizes.flatMap(({ size, searches, reads, tokenRatio, answers }) => {
    const max = size <= SMALL_ENTRIES_MAX ? SMALL_RATIO_MAX : LARGE_RATIO_MAX
    // The mode of a search that names none.
    const loaded = searches.filter(({ scenario }) => scenario.connections === 16 && scenario.mode === 'semantic')
    const worst = loaded.reduce<ScenarioReport | null>((a, b) => (a === null || b.ratio > a.ratio ? b : a), null)
    const requirements: Requirement[] = []
    if (worst !== null) {
      requirements.push({
        what: `${grouped(size)} entries, 16 connections, default mode: at most ${max} times the ceiling's processor time`,
        measured: `at most ${fixed(worst.ratio, 2)} (${worst.scenario.mode}, ${filterName(worst.scenario)})`,
        met: worst.ratio <= max,
      })
    }
    if (tokenRatio !== null) {
      requirements.push({
        what: `${grouped(size)} entries, 16 connections, filter 1 %: with an access token at most ${fixed(TOKEN_RATIO_MAX, 2)} times the processor time as with an API key`,
        measured: fixed(tokenRatio, 3),
        met: tokenRatio <= TOKEN_RATIO_MAX,
      })
    }
    for (const { name, ratio, comparedWith } of answers?.rows ?? []) {
      const isChosen = name.includes('fields')
      if (!isChosen && !name.includes('filter')) continue
      const most = isChosen ? CHOSEN_RATIO_MAX : FRAME_RATIO_MAX
      requirements.push({
        what: `${grouped(size)} entries, 8 connections, ${name}: at most ${fixed(most, 2)} times the processor time of ${comparedWith}`,
        measured: fixed(ratio, 2),
        met: ratio <= most,
      })
    }
    if (reads !== null && size >= INDEXING_ENTRIES_MIN) {
      const p99 = Math.max(reads.all.p99, ...reads.phases.map((phase) => phase.p99))
      requirements.push({
        what: `${grouped(size)} entries being indexed: p99 of reading another tenant's entry under ${READ_P99_MAX_MS} ms`,
        measured: `${fixed(p99, 1)} ms in the worst phase`,
        met: p99 < READ_P99_MAX_MS,
      })
    }
    return requirements
  })
}

/** Returns the subjects that have requirements but no figures. */
export function unmeasuredOfSearch({ sizes, queries }: SearchReport): string[] {
  return [
    ...(sizes.some(({ answers }) => answers != null) ? [] : ['what an answer costs, with its requirements']),
    ...(queries == null ? ['queries that a model reads'] : []),
  ]
}

function filterName({ filterPercent }: Scenario): string {
  return filterPercent === 100 ? 'no filter' : `filter ${filterPercent} %`
}

export function searchHeadline({ sizes }: SearchReport): string {
  const largest = sizes.at(-1)
  const [hybrid] = (largest?.searches ?? [])
    .filter(({ scenario }) => scenario.mode === 'hybrid' && scenario.filterPercent === 100)
    .sort((a, b) => b.scenario.connections - a.scenario.connections)
  if (largest === undefined || hybrid === undefined) return ''
  const { scenario, service } = hybrid
  return `${grouped(service.perSecond)} hybrid searches a second of ${grouped(largest.size)} entries, ${scenario.connections} connections`
}

/** Returns the report as Markdown. */
export function searchText(report: SearchReport): string {
  const { machine, dimensions, sizes } = report
  return [
    '## Speed of search',
    `\`npm run bench:search\` loads the real service over HTTP on SQLite. Answers are ten whole entries; vectors have ${dimensions} dimensions. Service, embedding server and load generator are processes of their own.`,
    [
      "- **Entries** have about 120 words of German or English, drawn from `bench/words.txt` by Zipf's law around 500 subjects. Nearly all have one passage.",
      '- **Vectors** depend on the text: 256 dimensions of the built-in model, 128 of a random projection of the words, and a part that all have in common, so that they lie in a cone as those of real models do. The embedding server only looks them up.',
      '- **Filters** are a category (1 %), a layer (10 %) and a tag (50 %).',
      '- **The ceiling** is a bare Fastify route, measured in the same minutes. It makes the same embedding call with the same client and serialises the same ten entries through the same contract. It has no credential, no database and no search, and makes one call for each request, while the service embeds queries that arrive together with one call.',
      "- **CPU** is that of all threads of the server process, per 1,000 answers. The ratio is the service's to the ceiling's.",
      `- Each load ran for ${fixed(measuredSeconds(sizes), 0)} s in all. Where that is more than one round, figures are medians of the rounds.`,
    ].join('\n'),
    requirementsText(judgeSearch(report)),
    ...unmeasuredText(unmeasuredOfSearch(report)),
    ...sizes.flatMap(sizeText),
    ...(report.queries == null ? [] : queriesText(report.queries)),
    machineText(machine),
  ].join('\n\n')
}

/** Returns the time of the first load in all rounds together. */
function measuredSeconds(sizes: readonly SizeReport[]): number {
  const service = sizes[0]?.searches[0]?.service
  return service === undefined ? 0 : service.count / service.perSecond
}

function sizeText(report: SizeReport): string[] {
  const { size, loading, now, peak, searches, reads } = report
  const texts = [
    `### ${grouped(size)} entries`,
    `Loading through the bulk route with 16 streams took ${fixed(loading.importSeconds, 1)} s, the vectors of what was left then another ${fixed(loading.embedSeconds, 1)} s, the first search, which builds the index, ${fixed(loading.indexSeconds, 2)} s. Resident memory at the end ${grouped(now)} MB, at its highest ${grouped(peak)} MB, with the tenants measured before.`,
  ]
  if (searches.length > 0) texts.push(searchTable(report))
  if (report.answers != null) texts.push('What an answer costs, at 8 connections:', answersTable(report.answers))
  if (reads !== null)
    texts.push(
      'Reading an entry of another tenant meanwhile, 100 times a second, in milliseconds from when the read was due:',
      readTable(reads),
    )
  return texts
}

function queriesText({ entries, connections, rows }: QueriesReport): string[] {
  return [
    '### Queries that a model reads',
    `${grouped(entries)} entries with each built-in model, at ${connections} connections. New queries have never been sent before, repeated ones are the same 200 again and again, whose vectors the service has kept. A search by words needs no vector. The ratio compares processor time with the same search with static-de-en-v2, which reads nothing.`,
    table(
      ['model', 'queries', 'mode', 'per second', 'p50 ms', 'p99 ms', 'CPU s / 1,000', 'ratio'],
      rows.map(({ model, queries, mode, figures: { perSecond, p50Ms, p99Ms, cpuPer1000 }, ratio }) => [
        model,
        queries,
        mode,
        perSecond,
        fixed(p50Ms, 2),
        fixed(p99Ms, 2),
        fixed(cpuPer1000, 3),
        fixed(ratio, 2),
      ]),
    ),
  ]
}

function searchTable({ searches, ceilings }: SizeReport): string {
  const rows = [
    ...ceilings.map(({ connections, figures }) => row('ceiling', '', connections, figures, '1.00')),
    ...searches.map(({ scenario, service, ratio }) =>
      row(scenario.mode, filterName(scenario), scenario.connections, service, fixed(ratio, 2)),
    ),
  ]
  return table(['search', 'filter', 'connections', 'per second', 'p50 ms', 'p99 ms', 'CPU s / 1,000', 'ratio'], rows)
}

function answersTable({ bare, rows }: AnswersReport): string {
  const cells = (name: string, { perSecond, p50Ms, p99Ms, cpuPer1000 }: LoadFigures, ratio: string) => {
    return [name, perSecond, fixed(p50Ms, 2), fixed(p99Ms, 2), fixed(cpuPer1000, 3), ratio]
  }
  return table(
    ['search', 'per second', 'p50 ms', 'p99 ms', 'CPU s / 1,000', 'ratio'],
    [
      cells('bare route', bare, '1.00'),
      ...rows.map(({ name, figures, ratio, comparedWith }) => {
        const isToBare = comparedWith.startsWith('bare')
        return cells(name, figures, isToBare ? fixed(ratio, 2) : `${fixed(ratio, 2)} of ${comparedWith}`)
      }),
    ],
  )
}

function row(name: string, filter: string, connections: number, figures: LoadFigures, ratio: string) {
  const { perSecond, p50Ms, p99Ms, cpuPer1000 } = figures
  return [name, filter, connections, perSecond, fixed(p50Ms, 2), fixed(p99Ms, 2), fixed(cpuPer1000, 3), ratio]
}

function readTable({ phases, all }: PacedFigures): string {
  const rows = [...phases, { name: 'all', ...all }].map(({ name, count, p50, p99, max }) => [
    name,
    count,
    fixed(p50, 2),
    fixed(p99, 2),
    fixed(max, 1),
  ])
  return table(['while', 'reads', 'p50', 'p99', 'longest'], rows)
}
