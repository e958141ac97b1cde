/** Measures what it costs that a model reads a query: new queries and repeated ones, with each built-in model. */
import type { SearchMode } from '../src/search/engine.ts'
import { type LoadFigures, type LoadSizes, measureLoad, medianOf, type Target } from './search-scenarios.ts'
import type { Corpus } from './search-corpus.ts'
import { BenchTenant } from './search-tenant.ts'
import type { LoadProcess } from './support/load.ts'
import { startServiceProcess } from './support/service-process.ts'

/** Models by their names in EMBEDDING_MODEL; the first one reads nothing, and the others are compared with it. */
const MODELS = ['static-de-en-v2', 'both'] as const
const ENTRIES = 2_000
const CONNECTIONS = 8
/** Queries that are sent again and again. */
const REPEATED = 200
/** Milliseconds within which each of them must have been read once. */
const ONCE_WITHIN_MS = 120_000
/** New queries of a round, more than it can send. */
const NEW = 30_000

interface Cell {
  readonly queries: 'new' | 'repeated'
  readonly mode: SearchMode
}

const CELLS: readonly Cell[] = [
  { queries: 'repeated', mode: 'hybrid' },
  { queries: 'new', mode: 'hybrid' },
  { queries: 'new', mode: 'keyword' },
]

/** A service with a model, and its figures by cell. */
interface Stage {
  readonly target: Target
  readonly figures: LoadFigures[][]
}

export interface QueryRow extends Cell {
  readonly model: string
  readonly figures: LoadFigures
  /** Processor time relative to the same search with the model that reads nothing. */
  readonly ratio: number
}

export interface QueriesReport {
  readonly entries: number
  readonly connections: number
  readonly rows: readonly QueryRow[]
}

/** Returns how many queries a corpus needs for a number of rounds. */
export function queriesFor(rounds: number): number {
  return REPEATED + rounds * NEW * CELLS.filter(({ queries }) => queries === 'new').length
}

/** Measures every cell in rounds, with each model in turn, so that other work on the machine affects all alike. */
export async function measureQueries(
  load: LoadProcess,
  { entries, queries }: Corpus,
  { rounds, sizes }: { readonly rounds: number; readonly sizes: LoadSizes },
): Promise<QueriesReport> {
  const open: (() => Promise<void>)[] = []
  try {
    const stages: Stage[] = []
    for (const model of MODELS) {
      const service = await startServiceProcess({ EMBEDDING_MODEL: model })
      open.push(() => service.stop())
      const tenant = await BenchTenant.create(service, 'queries')
      open.push(() => tenant.close())
      await tenant.fill(entries.slice(0, ENTRIES), queries[0])
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${tenant.key}` }
      const target: Target = {
        url: service.url,
        path: '/api/knowledge/knowledge-entries/search',
        pid: service.pid,
        headers,
      }
      stages.push({ target, figures: CELLS.map((): LoadFigures[] => []) })
    }
    const once = bodiesOf(queries.slice(0, REPEATED), 0, 'hybrid')
    for (const { target } of stages) await sendOnce(load, target, once)
    let sent = REPEATED
    for (let round = 0; round < rounds; round++) {
      for (const [i, { queries: kind, mode }] of CELLS.entries()) {
        const from = kind === 'new' ? sent : 0
        if (kind === 'new') sent += NEW
        const some = queries.slice(from, from + (kind === 'new' ? NEW : REPEATED))
        const bodies = bodiesOf(some, from, mode)
        for (const { target, figures } of stages) {
          figures[i].push(await measureLoad(load, target, bodies, CONNECTIONS, sizes))
        }
      }
    }
    const rows = CELLS.flatMap((cell, i) => {
      const medians = stages.map(({ figures }) => medianOf(figures[i]))
      return medians.map((figures, m): QueryRow => {
        return { ...cell, model: MODELS[m], figures, ratio: figures.cpuPer1000 / medians[0].cpuPer1000 }
      })
    })
    return { entries: ENTRIES, connections: CONNECTIONS, rows }
  } finally {
    for (const close of open.toReversed()) await close()
  }
}

/** Returns the bodies of searches. The number makes every query another text, of which the model reads all. */
function bodiesOf(queries: readonly string[], from: number, mode: SearchMode): string[] {
  return queries.map((query, n) => JSON.stringify({ query: `${query} ${from + n}`, mode, limit: 10 }))
}

/** Sends each query once, so that the service has its vector. */
async function sendOnce(load: LoadProcess, { url, path, headers }: Target, bodies: readonly string[]): Promise<void> {
  const times = { warmUpMs: 0, measureMs: ONCE_WITHIN_MS, countMax: bodies.length }
  await load.runClosed({ kind: 'closed', url, path, headers, bodies, connections: CONNECTIONS, ...times }, () => {})
}
