import type { SearchMode } from '../src/search/engine.ts'
import { cpuSeconds, memoryMb } from './support/process-figures.ts'
import type { ClosedFigures, LoadProcess } from './support/load.ts'

/** Percent of the entries that a filter leaves; 100 is no filter. */
const FILTER_SHARES = [100, 50, 10, 1] as const

export interface Scenario {
  readonly mode: SearchMode
  readonly filterPercent: (typeof FILTER_SHARES)[number]
  readonly connections: number
}

/** Returns the scenarios: semantic search with every filter, other modes without a filter. */
export function scenarios(): Scenario[] {
  const kinds: Omit<Scenario, 'connections'>[] = [
    ...FILTER_SHARES.map((filterPercent) => ({ mode: 'semantic' as const, filterPercent })),
    { mode: 'hybrid', filterPercent: 100 },
    { mode: 'hybrid', filterPercent: 10 },
    { mode: 'keyword', filterPercent: 100 },
  ]
  return [1, 16].flatMap((connections) => kinds.map((kind) => ({ ...kind, connections })))
}

/** A server to load, in a process whose figures can be read. */
export interface Target {
  readonly url: string
  readonly path: string
  /** Paths that are read in turns; without them, bodies are posted to the path. */
  readonly paths?: readonly string[]
  /** Status of a good answer; 200 by default. */
  readonly status?: number
  readonly pid: number
  readonly headers: Readonly<Record<string, string>>
}

export interface LoadSizes {
  readonly warmUpMs: number
  readonly measureMs: number
}

/** Figures of one or more measured runs of the same load. */
export interface LoadFigures {
  readonly count: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor seconds of all threads of the server per 1,000 answers. */
  readonly cpuPer1000: number
  readonly memoryMb: number
}

const COUNT_MAX = 200_000

/**
 * Loads a server.
 * @throws Error when an answer was not a success, because the figures would mean nothing
 */
export async function measureLoad(
  load: LoadProcess,
  target: Target,
  bodies: readonly string[],
  connections: number,
  sizes: LoadSizes,
): Promise<LoadFigures> {
  const { pid, ...where } = target
  let began = 0
  let ended = 0
  const job = { kind: 'closed' as const, ...where, bodies, connections, ...sizes, countMax: COUNT_MAX }
  const figures = await load.runClosed(job, (moment) => {
    if (moment === 'began') began = cpuSeconds(pid)
    else ended = cpuSeconds(pid)
  })
  if (figures.failures > 0) throw new Error(`${figures.failures} answers of ${where.url} failed`)
  return loadFigures(figures, ended - began, memoryMb(pid).now)
}

/** Returns the figures of a load from its times and the server's processor seconds. */
export function loadFigures({ seconds, latencies }: ClosedFigures, cpu: number, memory: number): LoadFigures {
  const { count, p50, p99 } = latencies
  return {
    count,
    perSecond: count / seconds,
    p50Ms: p50,
    p99Ms: p99,
    cpuPer1000: (cpu / count) * 1_000,
    memoryMb: memory,
  }
}

/** Combines several rounds of the same load by the median of each figure, so one disturbed round does not count. */
export function medianOf(rounds: readonly LoadFigures[]): LoadFigures {
  const median = (of: (figures: LoadFigures) => number): number => {
    const sorted = rounds.map(of).sort((a, b) => a - b)
    return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2
  }
  return {
    count: rounds.reduce((sum, { count }) => sum + count, 0),
    perSecond: median((figures) => figures.perSecond),
    p50Ms: median((figures) => figures.p50Ms),
    p99Ms: median((figures) => figures.p99Ms),
    cpuPer1000: median((figures) => figures.cpuPer1000),
    memoryMb: median((figures) => figures.memoryMb),
  }
}
