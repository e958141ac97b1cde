/**
 * Measures the cost of an answer: the frame of a request, its compression, and the addition of chosen fields and
 * excerpts.
 */
import {
  type LoadFigures,
  type LoadSizes,
  measureLoad,
  medianOf,
  type Scenario,
  type Target,
} from './search-scenarios.ts'
import type { BenchTenant } from './search-tenant.ts'
import type { LoadProcess } from './support/load.ts'

const CONNECTIONS = 8
/** Value of Accept-Encoding that a `fetch` of Node sends. */
const ACCEPTED = 'gzip, deflate, br, zstd'
const CHOSEN = { fields: ['id', 'title', 'type', 'language', 'url', 'updated_at'], excerpt: { length: 200 } }

/** A row of the table. */
export interface AnswerRow {
  readonly name: string
  readonly figures: LoadFigures
  /** Processor time relative to that of the row of comparison. */
  readonly ratio: number
  readonly comparedWith: string
}

export interface AnswersReport {
  readonly bare: LoadFigures
  readonly rows: readonly AnswerRow[]
}

interface Cell {
  readonly name: string
  readonly scenario: Omit<Scenario, 'connections'>
  readonly isCompressed?: boolean
  readonly isChosen?: boolean
  readonly comparedWith: string
}

const BARE = 'bare Fastify that sends the same bytes'

const CELLS: readonly Cell[] = [
  { name: 'semantic, filter 1 %', scenario: { mode: 'semantic', filterPercent: 1 }, comparedWith: BARE },
  {
    name: 'semantic, filter 1 %, Accept-Encoding',
    scenario: { mode: 'semantic', filterPercent: 1 },
    isCompressed: true,
    comparedWith: BARE,
  },
  { name: 'hybrid', scenario: { mode: 'hybrid', filterPercent: 100 }, comparedWith: BARE },
  {
    name: 'hybrid, fields and excerpts',
    scenario: { mode: 'hybrid', filterPercent: 100 },
    isChosen: true,
    comparedWith: 'hybrid',
  },
  { name: 'keyword', scenario: { mode: 'keyword', filterPercent: 100 }, comparedWith: BARE },
  {
    name: 'keyword, fields and excerpts',
    scenario: { mode: 'keyword', filterPercent: 100 },
    isChosen: true,
    comparedWith: 'keyword',
  },
]

/** Measures every cell in rounds, each between two of the bare route, so that other work affects all alike. */
export async function measureAnswers(
  load: LoadProcess,
  tenant: BenchTenant,
  targets: { readonly bare: Target; readonly service: Target },
  queries: readonly string[],
  { rounds, sizes }: { readonly rounds: number; readonly sizes: LoadSizes },
): Promise<AnswersReport> {
  const bareBodies = queries.map((query) => JSON.stringify({ query }))
  const bare: LoadFigures[] = []
  const figures = CELLS.map((): LoadFigures[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [i, { scenario, isCompressed, isChosen }] of CELLS.entries()) {
      bare.push(await measureLoad(load, targets.bare, bareBodies, CONNECTIONS, sizes))
      const chosen = isChosen === true ? CHOSEN : {}
      const bodies = queries.map((query) => JSON.stringify({ ...tenant.body(scenario, query), ...chosen }))
      const { headers, ...where } = targets.service
      const target = {
        ...where,
        headers: isCompressed === true ? { ...headers, 'accept-encoding': ACCEPTED } : headers,
      }
      figures[i].push(await measureLoad(load, target, bodies, CONNECTIONS, sizes))
    }
  }
  const medians = new Map([
    [BARE, medianOf(bare)],
    ...CELLS.map(({ name }, i) => [name, medianOf(figures[i])] as const),
  ])
  return {
    bare: medians.get(BARE)!,
    rows: CELLS.map(({ name, comparedWith }) => {
      const own = medians.get(name)!
      return { name, figures: own, ratio: own.cpuPer1000 / medians.get(comparedWith)!.cpuPer1000, comparedWith }
    }),
  }
}
