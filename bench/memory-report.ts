import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

/** The service's memory at one moment. */
export interface MemoryMoment {
  /** Resident memory without mapped files, which the system may reclaim at any time. */
  readonly ownMb: number
  readonly residentMb: number
  /** What the engine says that its indexes take. */
  readonly indexMb: number
}

/** The moments of one run of the service. */
export interface MemoryRun {
  readonly idle: MemoryMoment
  /** After the first search of every tenant. */
  readonly searched: MemoryMoment
  /** Once every index lies on disk too, and the heap was collected. */
  readonly rest: MemoryMoment
}

export interface MemoryReport {
  readonly machine: MachineFacts
  readonly rows: readonly {
    readonly tenants: number
    /** Of each tenant. */
    readonly entries: number
    /** What an entry may take at rest, in kilobytes of 1,024 bytes. */
    readonly kbMax: number
    readonly runs: readonly MemoryRun[]
  }[]
  /** The service with 100 tenants of 1,000 entries, each searched twice. */
  readonly budgets: readonly {
    /** SEARCH_MEMORY_MB */
    readonly budgetMb: number
    /** Of how many tenants it holds the index at rest. */
    readonly indexes: number
    readonly searched: MemoryMoment
    readonly rest: MemoryMoment
  }[]
  readonly requirements: readonly Requirement[]
}

type Row = MemoryReport['rows'][number]

export function judgeMemory(rows: readonly Row[]): Requirement[] {
  return rows.map((row) => {
    const atRest = row.runs.map((run) => kbOf(row, run, run.rest))
    const mean = atRest.reduce((sum, kb) => sum + kb, 0) / atRest.length
    return {
      what: `${nameOf(row)}: at most ${row.kbMax} kB for an entry at rest, in the mean`,
      measured: `${fixed(mean, 2)} kB (${atRest.map((kb) => fixed(kb, 2)).join(' and ')})`,
      met: mean <= row.kbMax,
    }
  })
}

/** The report as Markdown. */
export function memoryText({ machine, rows, budgets, requirements }: MemoryReport): string {
  const cells = rows.flatMap((row) =>
    row.runs.flatMap((run) =>
      (
        [
          ['idle', run.idle],
          ['first searches', run.searched],
          ['at rest', run.rest],
        ] as const
      ).map(([when, moment]) => [
        nameOf(row),
        when,
        grouped(moment.ownMb),
        grouped(moment.residentMb),
        grouped(moment.indexMb),
        moment === run.idle ? '' : fixed(kbOf(row, run, moment), 2),
      ]),
    ),
  )
  return [
    '## Memory',
    '`npm run bench:memory` fills a database with entries of about 120 words, starts the service on it, and reads its resident memory: idle, after the first search of every tenant, and at rest, once every index lies on disk too and the heap was collected. The third column leaves out mapped files, which the system may reclaim at any time; the last one is that column less the idle service, by entry. Each is measured twice.',
    table(['entries', 'when', 'own MB', 'resident MB', 'indexes say MB', 'kB by entry'], cells),
    requirementsText(requirements),
    'The 100 tenants of 1,000 entries, each searched twice, under four budgets:',
    table(
      ['`SEARCH_MEMORY_MB`', 'own MB after the searches', 'own MB at rest', 'resident MB at rest', 'indexes held'],
      budgets.map(({ budgetMb, indexes, searched, rest }) => [
        grouped(budgetMb),
        grouped(searched.ownMb),
        grouped(rest.ownMb),
        grouped(rest.residentMb),
        grouped(indexes),
      ]),
    ),
    machineText(machine),
  ].join('\n\n')
}

function nameOf({ tenants, entries }: Row): string {
  return tenants === 1 ? `one tenant of ${grouped(entries)}` : `${grouped(tenants)} tenants of ${grouped(entries)}`
}

function kbOf({ tenants, entries }: Row, { idle }: MemoryRun, { ownMb }: MemoryMoment): number {
  return ((ownMb - idle.ownMb) * 1_024) / (tenants * entries)
}
