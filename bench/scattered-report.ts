import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

/** Searches of tenants at random under one budget. */
export interface ScatteredRow {
  /** SEARCH_MEMORY_MB */
  readonly budgetMb: number
  /** Whether all indexes fit. */
  readonly isWarm: boolean
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processor seconds of the service per 1,000 answers. */
  readonly cpuPer1000: number
  /** Indexes that were read from snapshots, or built, for each 100 searches. */
  readonly readPer100: number
  /** Share of the indexes that are paged out at the end. */
  readonly pagedOutPercent: number
  /** Resident memory of the service at the end. */
  readonly residentMb: number
}

export interface ScatteredReport {
  readonly machine: MachineFacts
  readonly tenants: number
  /** Number of entries of each tenant. */
  readonly entries: number
  /** Megabytes of all indexes. */
  readonly indexMb: number
  readonly rows: readonly ScatteredRow[]
}

/** Share of the warm rate that is required with a third of the memory. */
const SHARE_MIN = 0.5

export function judgeScattered({ rows }: Pick<ScatteredReport, 'rows'>): Requirement[] {
  const ratesOf = (isWarm: boolean): number[] =>
    rows.filter((row) => row.isWarm === isWarm).map(({ perSecond }) => perSecond)
  const mean = (rates: readonly number[]): number => rates.reduce((sum, rate) => sum + rate, 0) / rates.length
  const share = mean(ratesOf(false)) / mean(ratesOf(true))
  return [
    {
      what: 'a third of the memory: at least half the searches a second, in the mean',
      measured: `${fixed(100 * share, 1)} percent`,
      met: share >= SHARE_MIN,
    },
  ]
}

/** Returns the report as Markdown. */
export function scatteredText({ machine, tenants, entries, indexMb, rows }: ScatteredReport): string {
  const cells = rows.map((row) => [
    row.isWarm ? 'all' : 'a third',
    grouped(row.budgetMb),
    grouped(Math.round(row.perSecond)),
    fixed(row.p50Ms, 1),
    fixed(row.p99Ms, 1),
    fixed(row.cpuPer1000, 2),
    fixed(row.readPer100, 1),
    fixed(row.pagedOutPercent, 0),
    grouped(Math.round(row.residentMb)),
  ])
  return [
    '## Many tenants at random',
    `\`npm run bench:scattered\` searches ${grouped(tenants)} tenants of ${grouped(entries)} entries at random with 8 connections, by meaning and words, from a fixed seed: with memory for all indexes (${grouped(Math.round(indexMb))} MB), and with a third of that. What searches read of an index that made room is paged out to a file and back; where that is not there yet, the index is read from its snapshot, or built. Both are measured twice, in turns.`,
    table(
      [
        'memory for',
        '`SEARCH_MEMORY_MB`',
        'searches/s',
        'p50 ms',
        'p99 ms',
        'CPU s per 1,000',
        'read per 100',
        'paged out, %',
        'resident MB',
      ],
      cells,
    ),
    requirementsText(judgeScattered({ rows })),
    machineText(machine),
  ].join('\n\n')
}
