import { type MachineFacts, machineText } from './support/machine.ts'
import { type Requirement, requirementsText } from './support/requirements.ts'
import { fixed, grouped, table } from './support/table.ts'

/** The service's memory at one moment. */
export interface MemoryMoment {
  /** Resident memory without mapped files, which the system may reclaim at any time. */
  readonly ownMb: number
  readonly residentMb: number
  /** Megabytes of the indexes, by the engine's figures. */
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
    readonly name: string
    readonly tenants: number
    /** Number of entries of each tenant. */
    readonly entries: number
    /** Most kilobytes (of 1,024 bytes) that an entry may take at rest. */
    readonly kbMax: number
    readonly runs: readonly MemoryRun[]
  }[]
  /** The service with 100 tenants of 1,000 entries, each searched twice. */
  readonly budgets: readonly {
    /** SEARCH_MEMORY_MB */
    readonly budgetMb: number
    /** Number of tenants whose index is in memory at rest. */
    readonly indexes: number
    readonly searched: MemoryMoment
    readonly rest: MemoryMoment
  }[]
  readonly requirements: readonly Requirement[]
  /**
   * Memory of the service in containers, which may have been measured at another time; absent before the first
   * measurement.
   */
  readonly containers?: {
    readonly machine: MachineFacts
    readonly rows: readonly ContainerRow[]
    readonly requirements: readonly Requirement[]
  }
}

/** The service in a container of the size that docs/operations/grow.md states. */
export interface ContainerRow {
  readonly data: string
  /** SEARCH_MEMORY_MB */
  readonly budgetMb: number
  readonly containerMb: number
  /** Highest resident memory, without mapped files and with them. */
  readonly ownMb: number
  readonly residentMb: number
  /** Highest memory that was charged to the container, page cache included; null where nothing could limit it. */
  readonly chargedMb: number | null
  /** Number of processes that the system ended for lack of memory; null where nothing could limit it. */
  readonly killed: number | null
  /** Number of indexes that made room for others. */
  readonly evictions: number
}

type Row = MemoryReport['rows'][number]

export function judgeMemory(rows: readonly Row[]): Requirement[] {
  return rows.map((row) => {
    const atRest = restKb(row)
    const mean = meanOf(atRest)
    return {
      what: `${nameOf(row)}: at most ${row.kbMax} kB for an entry at rest, in the mean`,
      measured: `${fixed(mean, 2)} kB (${atRest.map((kb) => fixed(kb, 2)).join(' and ')})`,
      met: mean <= row.kbMax,
    }
  })
}

export function judgeContainers(rows: readonly ContainerRow[]): Requirement[] {
  return rows.map(({ data, budgetMb, containerMb, ownMb, killed }) => ({
    what: `${grouped(budgetMb)} MB of indexes in ${grouped(containerMb)} MB, ${data}: stays within, and nothing is killed`,
    measured: `${grouped(ownMb)} MB, ${killed === null ? 'not limited' : `${killed} killed`}`,
    met: killed === 0 && ownMb <= containerMb,
  }))
}

export function memoryHeadline({ rows }: MemoryReport): string {
  return rows.map((row) => `${fixed(meanOf(restKb(row)), 2)} kB an entry (${nameOf(row)})`).join(', ')
}

/** Returns the report as Markdown. */
export function memoryText({ machine, rows, budgets, requirements, containers }: MemoryReport): string {
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
    ...(containers === undefined ? [] : containersText(containers)),
  ].join('\n\n')
}

function containersText({ machine, rows, requirements }: NonNullable<MemoryReport['containers']>): string[] {
  return [
    '### In containers',
    '`npm run bench:memory -- --only containers` starts the service in a control group of exactly the size that [Memory](../operations/grow.md#memory) states, and searches each tenant twice while entries of it are written. The 100 tenants are those above; of the others nearly every word is a term of its own. Own and resident are the most that the process had, without mapped files and with them. Charged is the most that the system counted for the group; page cache is part of it, and makes room before a process is killed.',
    table(
      ['tenants', '`SEARCH_MEMORY_MB`', 'container MB', 'own MB', 'resident MB', 'charged MB', 'killed', 'evictions'],
      rows.map((row) => [
        row.data,
        grouped(row.budgetMb),
        grouped(row.containerMb),
        grouped(row.ownMb),
        grouped(row.residentMb),
        row.chargedMb === null ? '' : grouped(row.chargedMb),
        row.killed === null ? '' : grouped(row.killed),
        grouped(row.evictions),
      ]),
    ),
    `Required is that each stays within its container and that nothing is killed: ${requirements.filter(({ met }) => met).length} of ${requirements.length} do.`,
    machineText(machine),
  ]
}

/** Returns the kilobytes that an entry takes at rest, by run. */
function restKb(row: Row): number[] {
  return row.runs.map((run) => kbOf(row, run, run.rest))
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function nameOf({ tenants, entries }: Row): string {
  return tenants === 1 ? `one tenant of ${grouped(entries)}` : `${grouped(tenants)} tenants of ${grouped(entries)}`
}

function kbOf({ tenants, entries }: Row, { idle }: MemoryRun, { ownMb }: MemoryMoment): number {
  return ((ownMb - idle.ownMb) * 1_024) / (tenants * entries)
}
