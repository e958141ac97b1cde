import { type MachineFacts, machineText } from './support/machine.ts'
import { requirementsText } from './support/requirements.ts'
import { grouped, table } from './support/table.ts'

export interface SearchLogReport {
  readonly machine: MachineFacts
  readonly searches: number
  readonly clicks: number
  /** Number of different queries. */
  readonly queries: number
  readonly ranges: readonly { readonly days: number; readonly searches: number; readonly cpuSeconds: number }[]
  readonly learning: {
    /** Queries that have boosts after learning. */
    readonly queries: number
    readonly cpuSeconds: number
    /** How much the process's peak memory grew meanwhile, megabytes. */
    readonly peakGrowthMb: number
  }
  /** Time of the main thread per search. */
  readonly recordMicroseconds: number
  /** Time of the main thread per batch of `handed` searches. */
  readonly handingMs: number
  readonly handed: number
}

export function searchLogText(report: SearchLogReport): string {
  const { machine, searches, clicks, queries, ranges, learning, recordMicroseconds, handingMs, handed } = report
  const rows = [
    ...ranges.map(({ days, searches: within, cpuSeconds }) => [
      `analytics of ${days === 1 ? 'a day' : `${days} days`}`,
      `${grouped(within)} searches`,
      `${cpuSeconds.toFixed(2)} s`,
    ]),
    ['learning', `${grouped(learning.queries)} queries with boosts`, `${learning.cpuSeconds.toFixed(1)} s`],
    ['remembering a search', 'in the thread that answers', `${recordMicroseconds.toFixed(1)} µs`],
    ['handing searches over', `${handed} of them`, `${handingMs.toFixed(1)} ms`],
  ]
  return `## Search log

\`npm run bench:search-log\` logs ${grouped(searches)} searches of 90 days with ${grouped(clicks)} clicks and ${grouped(queries)} different queries in SQLite, and measures the processor time of logging, counting and learning. Learning makes the process at most ${grouped(learning.peakGrowthMb)} MB larger.

${table(['what', 'over', 'processor time'], rows)}

${requirementsText([])}

${machineText(machine)}`
}
